import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import fs from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { type ExportFilesOptions, openMirror, toDocument } from '../index.ts';
import { audio } from '../testing/open-account.ts';
import { allMedia, openExports, talk } from '../testing/open-exports.ts';
import { changeDatabase } from '../testing/own-database.ts';
import { filesWith, readFolder } from '../testing/read-folder.ts';

type Exports = Awaited<ReturnType<typeof openExports>>;
let exports: Exports;

beforeEach(async () => {
  exports = await openExports();
});

const stem = '2026-08-20 Stand-up 2213';

describe('the files of a memory', () => {
  test('have one name, so that players find the subtitles, and are the documents of toDocument', async () => {
    await exports.keep(talk({ media: allMedia }));
    const formats = ['srt', 'vtt', 'text', 'markdown', 'json'] as const;
    const { report, files } = await exports.run({ formats, media: true });
    const documents = ['json', 'md', 'srt', 'txt', 'vtt'].map((suffix) => `${stem}.${suffix}`);
    const media = ['mp3', 'mp4', 'png'].map((suffix) => `${stem}.${suffix}`);
    expect(exports.names()).toEqual([...documents, ...media].sort());
    const memory = (await exports.mirror.getMemory('mem_1'))?.memory;
    if (memory === undefined) throw new TypeError('The mirror lacks the memory.');
    for (const format of formats) {
      const suffix = { text: 'txt', markdown: 'md' }[format as string] ?? format;
      expect(exports.read(`${stem}.${suffix}`)).toBe(toDocument(memory, format));
    }
    expect(readFileSync(exports.pathOf(`${stem}.mp4`))).toEqual(Buffer.from(exports.account.media));
    expect(report).toMatchObject({ folder: exports.folder, memories: 1, saved: 8, lacking: 0, kept: [], failed: [] });
    expect(files.map(({ type }) => type)).toEqual(Array.from({ length: 8 }, () => 'saved'));
    expect(files.find((event) => 'part' in event && event.part === 'video')).toEqual({
      type: 'saved',
      memoryId: 'mem_1',
      part: 'video',
      path: `${stem}.mp4`,
      size: 20_000,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      linked: expect.any(Boolean),
    });
  });

  test('are written once: a run without changes opens and changes nothing', async () => {
    await exports.keep(talk({ media: allMedia }), talk({ id: 'mem_2', transcript: null }));
    await exports.run({ formats: ['srt', 'json'], media: true });
    const times = () => exports.names().map((name) => [name, statSync(exports.pathOf(name), { bigint: true }).ctimeNs]);
    const before = times();
    const database = readFileSync(join(exports.base, 'mirror', 'mirror.sqlite'));
    const open = vi.spyOn(fs, 'open');
    const { report, files } = await exports.run({ formats: ['srt', 'json'], media: true });
    expect(open).not.toHaveBeenCalled();
    expect(report).toMatchObject({ memories: 2, unchanged: 2, saved: 0, renamed: 0, lacking: 1, logPending: false });
    expect(files).toEqual([]);
    expect(times()).toEqual(before);
    expect(readFileSync(join(exports.base, 'mirror', 'mirror.sqlite')).equals(database)).toBe(true);
  });

  test('that lack a transcript or a recording are counted, and come later', async () => {
    await exports.keep(talk({ transcript: null, media: audio }));
    rmSync(join(exports.base, 'mirror', 'media'), { recursive: true });
    const options = { formats: ['srt', 'markdown'], media: ['audio', 'video'] } satisfies ExportFilesOptions;
    expect((await exports.run(options)).report).toMatchObject({ saved: 1, lacking: 2 });
    await exports.keep(talk({ media: audio }));
    expect((await exports.run(options)).report).toMatchObject({ saved: 3, lacking: 0 });
    expect(exports.names()).toEqual([`${stem}.md`, `${stem}.mp3`, `${stem}.srt`]);
  });

  test('share the space of the mirror, cannot be written in place, or take their own space', async () => {
    await exports.keep(talk({ media: audio }));
    const name = `${stem}.mp3`;
    const path = (await exports.mirror.getMemory('mem_1'))?.media.audio?.path ?? '';
    const own = join(exports.base, 'mirror', path);
    const { report } = await exports.run({ media: true });
    const isLink = statSync(exports.pathOf(name)).ino === statSync(own).ino;
    expect(report).toMatchObject({ saved: 1, linked: 1 });
    if (isLink) expect(statSync(own).mode & 0o777).toBe(0o400);
    expect((await exports.run({ media: true, copy: true })).report).toMatchObject({ saved: isLink ? 1 : 0, linked: 0 });
    expect(statSync(exports.pathOf(name)).ino).not.toBe(statSync(own).ino);
    expect(statSync(exports.pathOf(name)).mode & 0o777).toBe(0o666 & ~process.umask());
  });

  test('are those of the last version with words', async () => {
    await exports.keep(talk());
    await exports.run();
    await exports.keep(talk({ transcript: null }));
    expect((await exports.run()).report).toMatchObject({ unchanged: 1 });
    expect(exports.read(`${stem}.srt`)).toContain('Good morning.');
  });

  test('of memories that are missing on the server stay', async () => {
    await exports.keep(talk(), talk({ id: 'mem_2' }));
    await exports.run();
    const before = exports.names();
    await exports.account.remove('mem_1');
    await exports.keep();
    expect((await exports.run()).report).toMatchObject({ memories: 2, missing: 1, saved: 0 });
    expect(exports.names()).toEqual(before);
  });

  test('outside of the range are not written, renamed or counted', async () => {
    await exports.keep(talk(), talk({ id: 'old', started_at: '2020-01-01T23:30:00Z' }));
    expect((await exports.run({ since: '2026', timeZone: 'UTC' })).report).toMatchObject({ memories: 1, saved: 1 });
    await exports.keep(talk({ name: 'Daily' }));
    expect((await exports.run({ until: '2025' })).report).toMatchObject({ memories: 1, saved: 1, renamed: 0 });
    expect(exports.names()).toHaveLength(2);
    // The range is in the time zone of the folder.
    expect((await exports.run({ until: '2020-01-01', timeZone: 'Asia/Tokyo' })).report.memories).toBe(0);
    expect((await exports.run({ until: '2020-01-02', timeZone: undefined })).report.memories).toBe(1);
  });

  test('whose text is damaged are failures, and others are written', async () => {
    await exports.keep(talk(), talk({ id: 'mem_2' }));
    await exports.mirror.close();
    const sql = "UPDATE versions SET content = replace(content, 'Good', 'Bad!') WHERE version_key = 1";
    changeDatabase(join(exports.base, 'mirror'), sql);
    await exports.reopen();
    const { report } = await exports.run();
    expect(report).toMatchObject({ memories: 2, saved: 1, failed: [{ part: null, error: { code: 'damaged' } }] });
    expect(JSON.stringify(report)).not.toContain('morning');
  });
});

describe('names', () => {
  test('follow the memory: all its files move, also edited ones and formats of other runs', async () => {
    await exports.keep(talk({ media: audio }));
    await exports.run({ formats: ['srt', 'vtt', 'markdown'], media: true });
    exports.edit(`${stem}.srt`, 'My own words.');
    await exports.keep(talk({ name: 'Retrospective', started_at: '2026-09-01T10:00:00Z', media: audio }));
    const { report, files } = await exports.run({ formats: ['vtt'] });
    const renamed = '2026-09-01 Retrospective 2213';
    expect(exports.names()).toEqual([`${renamed}.md`, `${renamed}.mp3`, `${renamed}.srt`, `${renamed}.vtt`]);
    expect(exports.read(`${renamed}.srt`)).toBe('My own words.');
    expect(report).toMatchObject({ renamed: 4, unchanged: 0 });
    expect(files).toContainEqual({
      type: 'renamed',
      memoryId: 'mem_1',
      part: 'srt',
      from: `${stem}.srt`,
      path: `${renamed}.srt`,
    });
  });

  test('keep template and time zone of the last run that named them, and empty folders go', async () => {
    await exports.keep(talk({ started_at: '2026-08-31T23:30:00Z' }));
    await exports.run({ name: '{year}/{month}/{day} {name}', timeZone: 'Asia/Tokyo' });
    expect(exports.names()).toEqual(['2026/09/01 Stand-up.srt']);
    expect((await exports.run({ timeZone: undefined })).report).toMatchObject({ renamed: 0, unchanged: 1 });
    expect(await exports.mirror.listExports()).toEqual([
      { folder: exports.folder, name: '{year}/{month}/{day} {name}', timeZone: 'Asia/Tokyo', isReachable: true },
    ]);
    await exports.run({ timeZone: 'UTC' });
    expect(exports.names()).toEqual(['2026/08/31 Stand-up.srt']);
    await exports.run({ name: '{name} {memory_id}' });
    expect(exports.names()).toEqual(['Stand-up mem_1.srt']);
    expect(existsSync(exports.pathOf('2026'))).toBe(false);
  });

  test('stay while the template gives the same, also after another memory had it first', async () => {
    await exports.keep(talk(), talk({ id: 'mem_2', started_at: '2026-08-20T11:00:00Z' }));
    await exports.run({ name: '{date} {name}' });
    const before = exports.names();
    expect(before).toHaveLength(2);
    await exports.keep(talk({ name: 'Other' }), talk({ id: 'mem_2', started_at: '2026-08-20T11:00:00Z', text: 'Hi.' }));
    await exports.run();
    expect(exports.names().filter((name) => before.includes(name))).toHaveLength(1);
  });

  test('of files that were removed are those of the template at once', async () => {
    await exports.keep(talk());
    await exports.run();
    rmSync(exports.pathOf(`${stem}.srt`));
    const { report } = await exports.run({ name: '{name}' });
    expect([exports.names(), report.saved, report.renamed]).toEqual([['Stand-up.srt'], 1, 0]);
  });

  test.each<[string, string]>([
    ['{name}', 'memory-read'],
    ['{name}/{date}', 'memory-read.json'],
    ['{name}/{date}', 'mirror.sqlite'],
    ['{name}/{date}', '.memory-read-export'],
  ])('%s of a memory "%s" makes no folder that the next run refuses', async (template, name) => {
    await exports.keep(talk({ name }));
    await exports.run({ formats: ['json'], name: template });
    expect((await exports.run({ formats: ['json'] })).report).toMatchObject({ unchanged: 1, failed: [] });
  });

  test('of another memory never are those of a labeled recording', async () => {
    const video = { object_key: 'v.webm', content_type: 'video/webm' };
    const media = { audio: { object_key: 'a.webm', content_type: 'audio/webm' }, video };
    await exports.keep(talk({ name: 'Talk', media }), talk({ id: 'mem_2', name: 'Talk.audio', media: { video } }));
    await exports.run({ media: true, name: '{name}' });
    expect(exports.names().filter((name) => name.includes('update'))).toEqual([]);
  });

  test('are exchanged without losing a file', async () => {
    const [one, other] = [talk({ name: 'One', text: 'First.' }), talk({ id: 'mem_2', name: 'Two', text: 'Second.' })];
    await exports.keep(one, other);
    await exports.run({ name: '{name}' });
    await exports.keep(talk({ name: 'Two', text: 'First.' }), talk({ id: 'mem_2', name: 'One', text: 'Second.' }));
    expect((await exports.run()).report).toMatchObject({ renamed: 2, kept: [] });
    expect((await exports.run()).report).toMatchObject({ renamed: 0, unchanged: 2 });
    const texts = exports.names().map((name) => exports.read(name));
    expect(texts).toHaveLength(2);
    expect(texts.filter((text) => text.includes('First.'))).toHaveLength(1);
    expect(texts.filter((text) => text.includes('Second.'))).toHaveLength(1);
  });

  test('are not given over a file of the owner', async () => {
    await exports.keep(talk());
    await exports.run({ name: '{name}' });
    exports.edit('Daily.srt', 'Mine.');
    await exports.keep(talk({ name: 'Daily' }));
    const { report } = await exports.run();
    expect([exports.read('Daily.srt'), exports.read('Stand-up.srt').includes('Good')]).toEqual(['Mine.', true]);
    expect(report).toMatchObject({ renamed: 0, kept: [] });
    rmSync(exports.pathOf('Daily.srt'));
    expect((await exports.run()).report).toMatchObject({ renamed: 1 });
    expect(exports.names()).toEqual(['Daily.srt']);
  });

  test('change only their case', async () => {
    await exports.keep(talk({ name: 'TALK' }));
    await exports.run();
    await exports.keep(talk({ name: 'Talk' }));
    expect((await exports.run()).report).toMatchObject({ renamed: 1 });
    expect(exports.names()).toEqual(['2026-08-20 Talk 2213.srt']);
  });
});

describe.each<[string, Partial<ExportFilesOptions>, string]>([
  ['a document', { formats: ['srt'] }, `${stem}.srt`],
  ['a recording', { media: ['audio'], copy: true }, `${stem}.mp3`],
])('%s that belongs to its owner', (_name, options, name) => {
  const update = name.replace('.', ' (update 1).');
  const isText = 'formats' in options;
  /** Changes what the file depends on: the words, or the recording. */
  const change = (version: number) => {
    exports.account.media = new Uint8Array(20_000).fill(version);
    const duration = isText ? {} : { duration_seconds: 900 + version };
    return exports.keep(talk({ text: `Version ${version}.`, media: audio, ...duration }));
  };

  beforeEach(async () => {
    await change(1);
  });

  test('is kept when it was edited, with one new file beside it that later versions replace', async () => {
    await exports.run(options);
    exports.edit(name, 'Mine.');
    expect((await exports.run(options)).report).toMatchObject({ unchanged: 1, kept: [] });
    await change(2);
    const kept = { memoryId: 'mem_1', path: name, reason: 'edited', writtenTo: update };
    const { report, files } = await exports.run(options);
    expect(report).toMatchObject({ saved: 1, kept: [kept] });
    expect(files[0]).toMatchObject({ type: 'kept', ...kept });
    await change(3);
    expect((await exports.run(options)).report).toMatchObject({ saved: 1, kept: [] });
    expect(exports.names()).toEqual([update, name].sort());
    expect(exports.read(name)).toBe('Mine.');
    exports.edit(update, 'Mine, too.');
    await change(4);
    const second = update.replace('1)', '2)');
    expect((await exports.run(options)).report.kept).toMatchObject([{ path: update, writtenTo: second }]);
    expect((await exports.run(options)).report).toMatchObject({ unchanged: 1 });
  });

  test('is kept when it was there before, unless it has our bytes', async () => {
    mkdirSync(exports.folder);
    exports.edit(name, 'Mine.');
    expect((await exports.run(options)).report.kept).toMatchObject([{ path: name, reason: 'foreign' }]);
    expect((await exports.run(options)).report).toMatchObject({ unchanged: 1 });
    expect([exports.read(name), exports.names()]).toEqual(['Mine.', [update, name].sort()]);
    const other = join(exports.base, 'other');
    mkdirSync(other);
    cpSync(exports.pathOf(update), join(other, name));
    expect((await exports.run(options, other)).report).toMatchObject({ saved: 0, unchanged: 1, kept: [] });
  });

  test('is ours when it was only touched, and is written again when it was removed', async () => {
    await exports.run(options);
    utimesSync(exports.pathOf(name), 1, 1);
    expect((await exports.run(options)).report).toMatchObject({ unchanged: 1 });
    await change(2);
    expect((await exports.run(options)).report).toMatchObject({ saved: 1, kept: [] });
    rmSync(exports.pathOf(name));
    expect((await exports.run(options)).report).toMatchObject({ saved: 1 });
  });

  test.each<[string, (path: string) => void]>([
    ['a folder', (path) => mkdirSync(path)],
    ['a link', (path) => symlinkSync(exports.base, path)],
  ])('is kept when it is %s', async (_type, make) => {
    mkdirSync(exports.folder);
    make(exports.pathOf(name));
    expect((await exports.run(options)).report.kept).toMatchObject([{ path: name, reason: 'foreign' }]);
    expect(exports.names()).toContain(update);
  });
});

test('an update goes when its owner removed the edited file, which is written again', async () => {
  await exports.keep(talk());
  await exports.run();
  exports.edit(`${stem}.srt`, 'Mine.');
  await exports.keep(talk({ text: 'Changed.' }));
  await exports.run();
  rmSync(exports.pathOf(`${stem}.srt`));
  await exports.run();
  expect(exports.names()).toEqual([`${stem}.srt`]);
  expect((await exports.run({ dryRun: true })).report).toMatchObject({ saved: 0, unchanged: 1 });
});

test('a recording that is damaged is not exported, and is after a repair', async () => {
  await exports.keep(talk({ media: audio }));
  const path = (await exports.mirror.getMemory('mem_1'))?.media.audio?.path ?? '';
  const recording = join(exports.base, 'mirror', path);
  writeFileSync(recording, Buffer.from(exports.account.media).fill(7));
  const failed = [{ memoryId: 'mem_1', part: 'audio', error: { code: 'damaged' } }];
  expect((await exports.run({ media: true })).report).toMatchObject({ saved: 0, failed });
  await exports.mirror.repair(exports.account.clientOf('https://api.example.com'));
  expect((await exports.run({ media: true })).report).toMatchObject({ saved: 1, failed: [] });
  expect(readFileSync(exports.pathOf(`${stem}.mp3`))).toEqual(Buffer.from(exports.account.media));
});

test('a recording gives its name to a video of the same type, which comes later', async () => {
  await exports.keep(talk({ media: { audio: { object_key: 'a.webm', content_type: 'audio/webm' } } }));
  await exports.run({ media: true });
  exports.edit(`${stem}.srt`, 'Subtitles of the owner.');
  await exports.keep(
    talk({
      duration_seconds: 901,
      media: {
        audio: { object_key: 'a.webm', content_type: 'audio/webm' },
        video: { object_key: 'v.webm', content_type: 'video/webm' },
      },
    }),
  );
  const { report } = await exports.run({ media: ['video'] });
  expect(report).toMatchObject({ saved: 1, renamed: 1, kept: [] });
  expect(exports.names()).toEqual([`${stem}.audio.webm`, `${stem}.srt`, `${stem}.webm`]);
});

describe('a purge', () => {
  const options = { formats: ['srt', 'markdown', 'json'], media: true } satisfies ExportFilesOptions;

  test('removes the files in all folders, and names those that their owner edited or moved', async () => {
    await exports.keep(talk({ media: audio }), talk({ id: 'stays', text: 'Other.' }));
    await exports.run(options);
    const other = join(exports.base, 'other');
    await exports.run({ formats: ['srt'] }, other);
    exports.edit(`${stem}.srt`, 'Mine.');
    mkdirSync(exports.pathOf('archive'));
    for (const suffix of ['md', 'json', 'mp3']) {
      renameSync(exports.pathOf(`${stem}.${suffix}`), exports.pathOf(`archive/kept.${suffix}`));
    }
    expect(await exports.mirror.purge('mem_1')).toEqual({
      purged: true,
      leftFiles: [
        exports.pathOf(`${stem}.srt`),
        ...['json', 'md', 'mp3'].map((suffix) => exports.pathOf(`archive/kept.${suffix}`)),
      ],
      pendingFolders: [],
      logPending: false,
    });
    expect(filesWith(other, 'Good morning.')).toEqual([]);
    expect(exports.names(other)).toHaveLength(1);
  });

  test('forgets the files of a folder that is away, which the next run there removes', async () => {
    await exports.keep(talk({ name: 'Zebra', media: audio }), talk({ id: 'stays' }));
    await exports.run(options);
    const away = join(exports.base, 'away');
    renameSync(exports.folder, away);
    expect(await exports.mirror.purge('mem_1')).toMatchObject({ leftFiles: [], pendingFolders: [exports.folder] });
    expect(filesWith(join(exports.base, 'mirror'), 'Zebra')).toEqual([]);
    writeFileSync(join(away, '2026-08-20 Zebra 2213.srt'), 'Mine.');
    renameSync(away, exports.folder);
    const { report, files } = await exports.run(options);
    expect(report).toMatchObject({ removed: 3, saved: 0 });
    expect(files.map(({ type }) => type)).toEqual(['removed', 'removed', 'removed']);
    expect(exports.names().filter((name) => name.includes('Zebra'))).toEqual(['2026-08-20 Zebra 2213.srt']);
    expect((await exports.run(options)).report.removed).toBe(0);
  });

  test('by a sync names what it leaves', async () => {
    await exports.keep(talk(), talk({ id: 'stays' }));
    await exports.run(options);
    exports.edit(`${stem}.srt`, 'Mine.');
    await exports.account.remove('mem_1');
    await exports.keep();
    const client = exports.account.clientOf('https://api.example.com');
    expect(await exports.mirror.sync(client, { missing: 'purge' })).toMatchObject({
      purged: 1,
      leftFiles: [exports.pathOf(`${stem}.srt`)],
    });
  });

  test('that was busy names at its end what it leaves', async () => {
    await exports.keep(talk());
    await exports.run(options);
    exports.edit(`${stem}.srt`, 'Mine.');
    renameSync(exports.pathOf(`${stem}.json`), exports.pathOf('moved.json'));
    const reader = new DatabaseSync(join(exports.base, 'mirror', 'mirror.sqlite'), { readOnly: true });
    reader.exec('BEGIN');
    reader.prepare('SELECT count(*) FROM memories').get();
    await expect(exports.mirror.purge('mem_1')).rejects.toMatchObject({ code: 'busy' });
    reader.close();
    await exports.reopen();
    const leftFiles = [exports.pathOf(`${stem}.srt`), exports.pathOf('moved.json')];
    expect(await exports.mirror.purge('mem_1')).toMatchObject({ purged: true, leftFiles });
    expect(await exports.mirror.purge('mem_1')).toMatchObject({ purged: false, leftFiles: [] });
    expect(filesWith(join(exports.base, 'mirror'), 'Stand-up')).toEqual([]);
  });
});

describe('the folder', () => {
  const earlier = (name: string) => (path: string) => {
    mkdirSync(path, { recursive: true });
    writeFileSync(join(path, name), '{}');
  };

  test.each<[string, (path: string) => unknown, RegExp]>([
    ['is the mirror', () => join(exports.base, 'mirror'), /it is a mirror/],
    ['is in the mirror', () => join(exports.base, 'mirror', 'talks'), /it is in a mirror/],
    ['contains the mirror', () => exports.base, /a mirror is in it/],
    ['is an archive', earlier('memory-read.json'), /an earlier memory-read wrote it \(memory-read\.json\)/],
    ['was an archive', earlier('.memory-read'), /an earlier memory-read wrote it \(\.memory-read\)/],
    [
      'contains a mirror far below',
      (path) => earlier('mirror.sqlite')(join(path, 'one', 'two', 'three')),
      /a mirror is in/,
    ],
    ['is a link into the mirror', (path) => symlinkSync(join(exports.base, 'mirror'), path), /it is a mirror/],
  ])('is refused if it %s, and nothing in it changes', async (_name, make, message) => {
    await exports.keep(talk());
    const made = make(exports.folder);
    const path = typeof made === 'string' ? made : exports.folder;
    const before = readFolder(exports.base);
    const expected = { code: 'foreign_folder', message: expect.stringMatching(message) };
    await expect(exports.run({}, path)).rejects.toMatchObject(expected);
    await expect(exports.run({ adopt: true }, path)).rejects.toMatchObject(expected);
    expect([...readFolder(exports.base)].filter(([name]) => !name.includes('mirror.'))).toEqual(
      [...before].filter(([name]) => !name.includes('mirror.')),
    );
  });

  test('that lost its mark is refused, and adopted on request', async () => {
    await exports.keep(talk(), talk({ id: 'mem_2' }));
    await exports.run();
    exports.edit(`${stem}.srt`, 'Mine.');
    rmSync(exports.pathOf('.memory-read-export'));
    const refused = { code: 'foreign_folder', message: expect.stringContaining('.memory-read-export is missing') };
    await expect(exports.run()).rejects.toMatchObject(refused);
    rmSync(exports.folder, { recursive: true });
    await expect(exports.run()).rejects.toMatchObject(refused);
    expect(existsSync(exports.folder)).toBe(false);
    expect((await exports.run({ adopt: true })).report).toMatchObject({ saved: 2 });
    expect((await exports.run()).report).toMatchObject({ unchanged: 2 });
  });

  test('of another mirror is refused, and adopted on request: files with our bytes are ours', async () => {
    await exports.keep(talk(), talk({ id: 'mem_2', media: audio }));
    await exports.run({ formats: ['srt', 'markdown'], media: true });
    exports.edit(`${stem}.srt`, 'Mine.');
    const second = await openMirror({ folder: join(exports.base, 'second') });
    await second.sync(exports.account.clientOf('https://api.example.com'), { media: true });
    const run = (options: object) =>
      second.exportFiles(exports.folder, { formats: ['srt'], timeZone: 'UTC', ...options });
    await expect(run({})).rejects.toMatchObject({
      code: 'foreign_folder',
      message: expect.stringContaining('--adopt'),
    });
    expect(await run({ adopt: true })).toMatchObject({ saved: 1, kept: [{ path: `${stem}.srt`, reason: 'foreign' }] });
    // Files of formats that the run does not write are recognized, too.
    expect(await second.purge('mem_2')).toMatchObject({ leftFiles: [] });
    expect(exports.names().filter((name) => !name.includes('2213'))).toEqual([]);
    await second.close();
    await expect(exports.run()).rejects.toMatchObject({ code: 'foreign_folder' });
  });

  test('can be moved, and a copy of it is a folder of its own', async () => {
    await exports.keep(talk());
    await exports.run({ formats: ['srt', 'markdown'] });
    const moved = join(exports.base, 'moved');
    renameSync(exports.folder, moved);
    expect((await exports.run({}, moved)).report).toMatchObject({ unchanged: 1 });
    const copy = join(exports.base, 'copy');
    cpSync(moved, copy, { recursive: true });
    expect((await exports.run({}, copy)).report).toMatchObject({ saved: 0, kept: [] });
    await exports.keep(talk({ name: 'Daily', text: 'Changed.' }));
    for (const folder of [moved, copy]) {
      // All files are known, also those of a format that this run does not write.
      expect((await exports.run({}, folder)).report).toMatchObject({ saved: 1, renamed: 2 });
    }
    expect((await exports.mirror.listExports()).map(({ folder }) => folder)).toEqual([moved, copy]);
  });

  test('is the same by its path and by a link to it', async () => {
    await exports.keep(talk());
    await exports.run();
    exports.edit(`${stem}.srt`, 'Mine.');
    const link = join(exports.base, 'link');
    symlinkSync(exports.folder, link);
    expect((await exports.run({}, link)).report).toMatchObject({ folder: exports.folder, unchanged: 1, kept: [] });
    expect((await exports.run()).report).toMatchObject({ unchanged: 1, kept: [] });
    expect(await exports.mirror.listExports()).toMatchObject([{ folder: exports.folder, isReachable: true }]);
  });

  test('can change places with another one', async () => {
    await exports.keep(talk(), talk({ id: 'mem_2' }));
    const other = join(exports.base, 'other');
    await exports.run();
    await exports.run({ formats: ['text'] }, other);
    const [one, two, away] = [exports.folder, other, join(exports.base, 'away')];
    for (const [from, to] of [
      [one, away],
      [two, one],
      [away, two],
    ] as const)
      renameSync(from, to);
    expect((await exports.run({ formats: ['text'] })).report).toMatchObject({ unchanged: 2, kept: [] });
    expect((await exports.run({}, other)).report).toMatchObject({ unchanged: 2, kept: [] });
    expect(await exports.mirror.purge('mem_1')).toMatchObject({ leftFiles: [], pendingFolders: [] });
    expect([exports.names().length, exports.names(other).length]).toEqual([1, 1]);
  });

  test.each<[string, string]>([
    ['a stem that leaves the folder', `UPDATE stems SET basis = '', wanted = '', stem = '../outside/evil'`],
    ['a stem with an empty part', `UPDATE stems SET stem = 'x//y'`],
    ['an absolute stem', `UPDATE stems SET stem = '/outside/evil'`],
    ['a suffix that leaves the folder', `UPDATE files SET suffix = '/../../outside/moved.txt'`],
    ['a path that leaves the folder', `UPDATE files SET path = '../outside/' || path`],
    ['an intent that leaves the folder', `UPDATE files SET intended_path = '../outside/evil'`],
  ])('does not change by %s in the database', async (_name, sql) => {
    await exports.keep(talk());
    await exports.run();
    await exports.mirror.writePages({ timeZone: 'UTC' });
    mkdirSync(join(exports.base, 'outside'));
    exports.edit('diary.srt', 'Mine.');
    await exports.mirror.close();
    changeDatabase(join(exports.base, 'mirror'), sql);
    await exports.reopen();
    await exports.keep(talk({ name: 'Daily', text: 'Changed.' }));
    await exports.mirror.writePages({ timeZone: 'UTC' });
    await exports.run();
    await exports.mirror.purge('mem_1');
    expect(readFolder(join(exports.base, 'outside')).size).toBe(0);
    expect(exports.read('diary.srt')).toBe('Mine.');
  });

  test('that the database of another program names does not change', async () => {
    await exports.keep(talk());
    await exports.run({ formats: ['srt', 'markdown'] });
    const documents = join(exports.base, 'Documents');
    mkdirSync(documents);
    for (const name of exports.names()) cpSync(exports.pathOf(name), join(documents, name));
    await exports.mirror.close();
    const mirror = join(exports.base, 'mirror');
    changeDatabase(mirror, 'UPDATE export_folders SET path = ?', documents);
    changeDatabase(mirror, `UPDATE files SET path = '../Documents/' || path WHERE part = 'markdown'`);
    await exports.reopen();
    await expect(exports.run({}, documents)).rejects.toMatchObject({ code: 'foreign_folder' });
    expect(await exports.mirror.purge('mem_1')).toMatchObject({ purged: true, pendingFolders: [documents] });
    expect(readFolder(documents).size).toBe(2);
  });

  test('has no link in place of a folder: its files fail, and nothing behind the link changes', async () => {
    await exports.keep(talk(), talk({ id: 'mem_2', started_at: '2025-01-01T10:00:00Z' }));
    await exports.run({ name: '{year}/{name}' });
    const behind = join(exports.base, 'behind');
    renameSync(exports.pathOf('2026'), behind);
    symlinkSync(behind, exports.pathOf('2026'));
    const before = readFolder(behind);
    await exports.keep(talk({ text: 'Changed.' }));
    const failed = [{ memoryId: 'mem_1', part: 'srt', error: { code: 'storage' } }];
    expect((await exports.run()).report.failed).toMatchObject(failed);
    expect((await exports.run({ name: '{name} {year}' })).report.failed).toMatchObject(failed);
    const leftFiles = [exports.pathOf('2026/Stand-up.srt')];
    expect(await exports.mirror.purge('mem_1')).toMatchObject({ purged: true, leftFiles });
    expect(readFolder(behind)).toEqual(before);
  });

  test('with a file in place of a folder makes failures, and others are written', async () => {
    await exports.keep(talk(), talk({ id: 'mem_2', started_at: '2025-01-01T10:00:00Z' }));
    mkdirSync(exports.folder);
    exports.edit('2026', 'Mine.');
    const { report } = await exports.run({ name: '{year}/{name}' });
    expect(report).toMatchObject({ saved: 1, failed: [{ part: 'srt', error: { code: 'storage' } }] });
  });
});

test('a dry run writes nothing, and reports what a run would write and rename', async () => {
  await exports.keep(talk(), talk({ id: 'mem_2' }));
  const before = readFolder(exports.base);
  const { report } = await exports.run({ dryRun: true });
  expect(report).toMatchObject({ saved: 2, bytes: 0 });
  expect(readFolder(exports.base)).toEqual(before);
  await exports.run({ formats: ['markdown'] });
  await exports.keep(talk({ name: 'Daily' }));
  const { files } = await exports.run({ formats: ['markdown'], dryRun: true });
  expect(files).toEqual([
    { type: 'renamed', memoryId: 'mem_1', part: 'markdown', from: `${stem}.md`, path: '2026-08-20 Daily 2213.md' },
    { type: 'saved', memoryId: 'mem_1', part: 'markdown', path: '2026-08-20 Daily 2213.md' },
  ]);
  expect((await exports.run({ formats: ['markdown'] })).files).toMatchObject([{ type: 'renamed' }, { type: 'saved' }]);
});

test('a dry run reports what the run does: touched, edited, foreign, copied and unchanged files', async () => {
  await exports.keep(talk({ media: audio }), talk({ id: 'mem_2' }), talk({ id: 'mem_3' }));
  await exports.run({ formats: ['srt'], media: true });
  const [first = '', , third = ''] = exports.names();
  utimesSync(exports.pathOf(first), 1, 1);
  exports.edit(third, 'Mine.');
  await exports.keep(talk({ media: audio, summary: null }), talk({ id: 'mem_3', text: 'Changed.' }));
  for (const options of [
    { formats: ['srt', 'text'] as const, media: true },
    { media: true, copy: true },
  ]) {
    const planned = await exports.run({ ...options, dryRun: true });
    const done = await exports.run(options);
    const pathsOf = ({ files }: typeof done) =>
      files
        .filter(({ type }) => type === 'saved')
        .map((event) => ('path' in event ? event.path : ''))
        .sort();
    expect(pathsOf(planned)).toEqual(pathsOf(done));
    expect(planned.report.kept).toEqual(done.report.kept);
  }
});

test('an abort rejects with the reason, whole files stay, and the next run writes the others', async () => {
  await exports.keep(...Array.from({ length: 5 }, (_item, index) => talk({ id: `mem_${index}` })));
  const controller = new AbortController();
  const onProgress = () => controller.abort(new Error('enough'));
  await expect(exports.run({ onProgress, signal: controller.signal })).rejects.toThrow('enough');
  const { report } = await exports.run();
  expect(report.saved + report.unchanged).toBe(5);
  expect(exports.names()).toHaveLength(5);
});

test.each<[string, unknown, RegExp]>([
  ['nothing to write', {}, /there is nothing to write\. Pass formats, media or both/],
  ['an unknown format', { formats: ['pdf'] }, /formats is not supported\. Use some of srt, vtt, text, markdown, json/],
  ['an unknown kind', { media: ['film'] }, /media is not supported/],
  ['a wrong template', { media: true, name: '{nope}' }, /\{nope\} is not a field/],
  ['a wrong range', { media: true, since: 'soon' }, /since is not a date/],
])('rejects %s before anything is made', async (_name, options, message) => {
  const rejected = exports.mirror.exportFiles(exports.folder, options as ExportFilesOptions);
  await expect(rejected).rejects.toMatchObject({ code: 'invalid_option', message: expect.stringMatching(message) });
  expect(existsSync(exports.folder)).toBe(false);
});
