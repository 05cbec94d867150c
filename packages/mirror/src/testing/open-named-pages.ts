import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { writePages } from '../pages/write-pages.ts';
import { nameSpeaker, unnameSpeaker } from '../people/change-names.ts';
import { mergePeople, renamePerson } from '../people/change-people.ts';
import { openTestMirror } from './open-test-mirror.ts';
import { readFolder } from './read-folder.ts';

const recording = 'media/22132404d6ef307bd60429c0/audio-1';

/** Paths of the files of the memory `mem_1`. */
export const paths = {
  recording: `${recording}.wav`,
  captions: `${recording}.vtt`,
  page: 'pages/2026-08-20 Stand-up 2213.md',
  update: 'pages/2026-08-20 Stand-up 2213 (update 1).md',
  script: 'index/2026-08.js',
};

const said = (speaker: string, second: number, text: string) => ({
  speaker,
  start_at: `2026-08-20T10:00:0${second}Z`,
  end_at: `2026-08-20T10:00:0${second + 1}Z`,
  text,
});

/** Transcript of the memory `mem_1`. */
export const transcript = {
  segments: [said('Speaker 2', 1, 'Hello.'), said('Speaker 1', 3, 'Good morning.'), said('Speaker 3', 5, 'Hi.')],
};

/** Opens a mirror with one memory, and closes it after the test. */
export function openNamedPages() {
  const mirror = openTestMirror();
  const { database, folder, keep } = mirror;
  keep({ transcript }, { media: { audio: paths.recording } });

  /** Returns the time of the last write of each file by its path. */
  const writes = () =>
    new Map(
      [...readFolder(folder).keys()]
        .filter((path) => !path.includes('mirror.sqlite'))
        .map((path) => [relative(folder, path), statSync(path, { bigint: true }).mtimeNs]),
    );

  const pages = {
    ...mirror,
    write: (since = 0) => writePages(mirror, { timeZone: 'Asia/Tokyo', isInRange: (instant) => instant >= since }),
    /** Writes the pages, and returns the paths of the files that were written. */
    async written(): Promise<string[]> {
      const before = writes();
      await pages.write();
      return [...writes()].flatMap(([path, time]) => (before.get(path) === time ? [] : [path])).sort();
    },
    name: (label: string, person: string, memoryId = 'mem_1') =>
      nameSpeaker(database, { memoryId, label, person, me: false, now: 0 }),
    unname: (label: string) => unnameSpeaker(database, { memoryId: 'mem_1', label, now: 0 }),
    rename: (person: string, name: string) => renamePerson(database, { person, name, now: 0 }),
    merge: (person: string, into: string) => mergePeople(database, { person, into, now: 0 }),
    read: (path: string) => readFileSync(join(folder, path), 'utf8'),
    edit: (path: string, text = 'My own words.') => writeFileSync(join(folder, path), text),
    listed: (path: string) => readdirSync(join(folder, path)).sort(),
    /** Returns the data of the memories in a script. */
    dataOf: (path: string) => JSON.parse(/\[\{.*\]/.exec(pages.read(path))?.[0] ?? ''),
  };
  return pages;
}
