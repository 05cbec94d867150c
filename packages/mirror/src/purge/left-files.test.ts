import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, test } from 'vitest';
import { temporaryPath } from '../files/temporary-path.ts';
import { shortHash } from '../history/stored-memories.ts';
import { audio } from '../testing/open-account.ts';
import { openExports, talk } from '../testing/open-exports.ts';
import { filesWith } from '../testing/read-folder.ts';

type Exports = Awaited<ReturnType<typeof openExports>>;
let exports: Exports;

beforeEach(async () => {
  exports = await openExports();
});

describe('a file that its owner moved or copied is named', () => {
  const options = { formats: ['srt', 'markdown', 'json'] as const, name: '{name}' };
  const at = (name: string) => exports.pathOf(name);
  const edit = (name: string, change: (text: string) => string) => exports.edit(name, change(exports.read(name)));

  test.for<[string, () => void, string[]]>([
    [
      'a copy of a file that was edited later',
      () => {
        copyFileSync(at('Alpha.srt'), at('copy.srt'));
        appendFileSync(at('Alpha.srt'), 'Mine.');
      },
      ['Alpha.srt', 'copy.srt'],
    ],
    ['a file over that of another memory', () => renameSync(at('Alpha.srt'), at('Beta.srt')), ['Beta.srt']],
    [
      'a page over that of another memory',
      () => {
        appendFileSync(at('Alpha.md'), 'Mine.');
        renameSync(at('Alpha.md'), at('Beta.md'));
      },
      ['Beta.md'],
    ],
  ])('%s, also if a run saw it', async ([, move, left]) => {
    for (const isSeen of [false, true]) {
      exports = await openExports();
      await exports.keep(talk({ name: 'Alpha' }), talk({ id: 'mem_2', name: 'Beta', text: 'Other.' }));
      await exports.run(options);
      move();
      if (isSeen) await exports.run(options);
      const { leftFiles } = await exports.mirror.purge('mem_1');
      expect(leftFiles.sort(), `seen: ${isSeen}`).toEqual(left.map(at));
    }
  });

  test('two updates of one size', async () => {
    await exports.keep(talk({ name: 'Alpha', text: 'Good morning.' }));
    await exports.run(options);
    const first = exports.read('Alpha.srt');
    exports.edit('Alpha.srt', 'Mine.');
    await exports.keep(talk({ name: 'Alpha', text: 'Good evening.' }));
    await exports.run(options);
    exports.edit('Alpha.srt', first);
    await exports.run(options);
    renameSync(at('Alpha.srt'), at('1.srt'));
    renameSync(at('Alpha (update 1).srt'), at('2.srt'));
    const { leftFiles } = await exports.mirror.purge('mem_1');
    expect(leftFiles.sort()).toEqual(['1.srt', '2.srt'].map(at));
  });

  test('into another folder of exports', async () => {
    await exports.keep(talk({ name: 'Alpha' }));
    await exports.run(options);
    const other = `${exports.base}/other`;
    await exports.run({ formats: ['text'] }, other);
    renameSync(at('Alpha.srt'), `${other}/moved.srt`);
    expect(await exports.mirror.purge('mem_1')).toMatchObject({ leftFiles: [`${other}/moved.srt`] });
  });

  const withId = (id: string) => (text: string) => text.replace(/^id: .*$/m, `id: ${id}`);
  test.for<[string, string, (text: string) => string]>([
    ['an id without quotes', 'Note.md', withId('mem_1')],
    ['an id in single quotes', 'Note.md', withId("'mem_1'")],
    ['an id with spaces around it', 'Note.md', withId('  "mem_1"  ')],
    ['the id first', 'Note.md', (text) => text.replace(/^id: .*\n/m, '').replace('---\n', '---\nid: mem_1\n')],
    ['CRLF', 'Note.md', (text) => text.replaceAll('\n', '\r\n')],
    ['a byte order mark', 'Note.md', (text) => `\u{FEFF}${text}`],
    ['all of them', 'Note.md', (text) => `\u{FEFF}${withId("'mem_1'")(text).replaceAll('\n', '\r\n')}`],
    ['a suffix in capitals', 'NOTE.MD', (text) => `${text}Mine.`],
    ['a longer suffix', 'Note.markdown', (text) => `${text}Mine.`],
    ['a suffix of a backup', 'Alpha.md.bak', (text) => `${text}Mine.`],
    ['JSON with a byte order mark', 'Note.json', (text) => `\u{FEFF}${text}`],
    ['JSON with a suffix in capitals', 'NOTE.JSON', (text) => `${text}\n`],
  ])('after an editor wrote it with %s', async ([, name, change]) => {
    await exports.keep(talk({ name: 'Alpha' }));
    await exports.run(options);
    const from = /json/i.test(name) ? 'Alpha.json' : 'Alpha.md';
    renameSync(at(from), at(name));
    const before = exports.read(name);
    edit(name, change);
    expect(exports.read(name)).not.toBe(before);
    expect(await exports.mirror.purge('mem_1')).toMatchObject({ leftFiles: [at(name)] });
  });

  test('but not a page of another memory that quotes the id', async () => {
    await exports.keep(talk({ name: 'Alpha' }), talk({ id: 'mem_2', name: 'Beta', text: 'Other.' }));
    await exports.run(options);
    edit('Beta.md', (text) => `${text}\n---\nid: mem_1\n---\n`);
    writeFileSync(at('mine.md'), '---\ntags: []\n---\nid: mem_1\n');
    expect(await exports.mirror.purge('mem_1')).toMatchObject({ leftFiles: [] });
    expect(readFileSync(at('mine.md'), 'utf8')).toContain('mem_1');
  });
});

describe('in the folder of the media of a memory', () => {
  const media = join('mirror', 'media', shortHash('mem_1'));
  const inMedia = () => readdirSync(join(exports.base, media), { recursive: true }).map(String).sort();
  const recordingOf = () => inMedia().find((name) => /^audio.*mp3$/.test(name)) ?? '';

  test('recordings, also earlier ones, captions and partial downloads are removed, and the folder with them', async () => {
    await exports.keep(talk({ media: audio }));
    await exports.keep(talk({ media: audio, duration_seconds: 601 }));
    await exports.mirror.writePages();
    exports.account.intercept = (path) => (path.startsWith('/media/') ? brokenRecording() : undefined);
    await exports.keep(talk({ media: audio, duration_seconds: 602 }));
    writeFileSync(temporaryPath(join(exports.base, media)), 'Good');
    expect(
      inMedia()
        .map((name) => name.replace(/.*\./, ''))
        .sort(),
    ).toEqual(['mp3', 'mp3', 'part', 'tmp', 'vtt']);
    expect(await exports.mirror.purge('mem_1')).toMatchObject({ leftFiles: [] });
    expect(readdirSync(join(exports.base, 'mirror', 'media'))).toEqual([]);
  });

  test('files of the owner stay and are named', async () => {
    await exports.keep(talk({ media: audio }));
    const captions = recordingOf().replace('.mp3', '.vtt');
    const kept = [captions, 'notes.txt', join('more', 'audio-1.mp3')];
    mkdirSync(join(exports.base, media, 'more'));
    for (const name of kept) writeFileSync(join(exports.base, media, name), 'Mine.');
    expect(await exports.mirror.writePages()).toMatchObject({ warnings: [{ reason: 'foreign' }] });
    const { leftFiles } = await exports.mirror.purge('mem_1');
    expect(leftFiles.sort()).toEqual(kept.map((name) => `media/${shortHash('mem_1')}/${name}`).sort());
    expect(inMedia()).toEqual([...kept, 'more'].sort());
  });

  test('a folder in place of a recording, or a file in place of the folder, stays', async () => {
    await exports.keep(talk({ media: audio }), talk({ id: 'mem_2', media: audio }));
    const recording = join(exports.base, media, recordingOf());
    rmSync(recording);
    mkdirSync(recording);
    writeFileSync(join(recording, 'mine.txt'), 'Mine.');
    const second = `media/${shortHash('mem_2')}`;
    rmSync(join(exports.base, 'mirror', second), { recursive: true });
    writeFileSync(join(exports.base, 'mirror', second), 'Mine.');
    const [left = ''] = (await exports.mirror.purge('mem_1')).leftFiles;
    expect(join(exports.base, 'mirror', left)).toBe(join(recording, 'mine.txt'));
    expect(await exports.mirror.purge('mem_2')).toMatchObject({ leftFiles: [second] });
  });
});

describe('the pages about all memories', () => {
  let original = '';
  const inMirror = (name: string) => join(exports.base, 'mirror', name);
  const append = (name: string) => appendFileSync(inMirror(name), '<!-- mine -->');
  const remove = (...names: string[]) => {
    for (const name of names) rmSync(inMirror(name), { recursive: true });
  };

  test.for<[string, () => void, string[]]>([
    ['if the index is removed', () => remove('index.html', 'index'), []],
    ['if its update is edited', () => append('index (update 1).html'), ['index (update 1).html', 'index.html']],
    [
      'if its update is edited, and all else is removed',
      () => {
        append('index (update 1).html');
        remove('index.html', 'index');
      },
      ['index (update 1).html'],
    ],
    ['if the index has our bytes again', () => writeFileSync(inMirror('index.html'), original), []],
    ['if only a script is there', () => remove('index.html', 'index (update 1).html'), []],
    [
      'if a script is edited, and all else is removed',
      () => {
        append('index/2026-08.js');
        remove('index.html', 'index (update 1).html');
      },
      ['index/2026-08.js'],
    ],
  ])('keep no words %s', async ([, change, left]) => {
    await exports.keep(talk({ name: 'Zebra', text: 'Zebra.' }), talk({ id: 'stays', name: 'Other' }));
    await exports.mirror.writePages();
    original = readFileSync(inMirror('index.html'), 'utf8');
    append('index.html');
    await exports.keep(talk({ id: 'stays', name: 'Other again' }));
    expect(await exports.mirror.writePages()).toMatchObject({ warnings: [{ writtenTo: 'index (update 1).html' }] });
    change();
    const { leftFiles } = await exports.mirror.purge('mem_1');
    expect(filesWith(join(exports.base, 'mirror'), 'Zebra').sort()).toEqual(left.map(inMirror));
    expect(leftFiles.sort()).toEqual(left);
  });
});

test('the next run removes the folders that were emptied, if the folder of exports was away', async () => {
  const options = { name: '{year}/{name}/{id}' };
  await exports.keep(talk({ name: 'Zebra' }), talk({ id: 'stays', name: 'Other' }));
  await exports.run(options);
  const away = join(exports.base, 'away');
  renameSync(exports.folder, away);
  await exports.mirror.purge('mem_1');
  renameSync(away, exports.folder);
  expect(await exports.run(options)).toMatchObject({ report: { removed: 1 } });
  expect(readdirSync(exports.folder, { recursive: true }).filter((name) => String(name).includes('Zebra'))).toEqual([]);
});

test('a purge that was busy ends, although a file is now in place of the folder of a file that it left', async () => {
  await exports.keep(talk());
  await exports.run({ name: '{year}/{id}' });
  appendFileSync(exports.pathOf('2026/2213.srt'), 'Mine.');
  const reader = new DatabaseSync(join(exports.base, 'mirror', 'mirror.sqlite'), { readOnly: true });
  reader.exec('BEGIN; SELECT count(*) FROM memories');
  await expect(exports.mirror.purge('mem_1')).rejects.toMatchObject({ code: 'busy' });
  reader.close();
  rmSync(exports.pathOf('2026'), { recursive: true });
  exports.edit('2026', 'Mine.');
  await exports.reopen();
  expect(await exports.mirror.purge('mem_1')).toMatchObject({ purged: true, leftFiles: [] });
});

/** A download that breaks after its first bytes. */
function brokenRecording(): Response {
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(Buffer.from('Good')),
    pull: (controller) => controller.error(new TypeError('The connection broke.')),
  });
  return new Response(body, { headers: { 'Content-Type': 'audio/mpeg', 'Content-Length': '20000', ETag: '"one"' } });
}
