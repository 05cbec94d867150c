// #region open-and-search
import { MemoryClient } from '@memory-read/client';
import { openMirror } from '@memory-read/mirror';

const client = new MemoryClient(); // takes MEMORY_API_URL and MEMORY_API_KEY from the environment
const mirror = await openMirror({ folder: process.env.MEMORY_FOLDER ?? 'memories' });

await mirror.sync(client); // one request if nothing has changed
const { hits } = await mirror.search('burst pipe');
for (const { startedAt, name, snippet } of hits) console.log(startedAt, name, snippet.text);
// #endregion

// #region sync
const { added, changed, missing, mediaSaved, failed } = await mirror.sync(client, { media: ['audio'] });
console.log(`${added} added, ${changed} changed, ${missing} missing, ${mediaSaved} media saved`);
for (const { memoryId, kind, error } of failed) console.error(memoryId, kind ?? 'details', error.message);
// #endregion

// #region hit
for (const { memoryId, speaker, offset, snippet } of (await mirror.search('speaker:"Speaker 2" promise')).hits) {
  const audio = (await mirror.getMemory(memoryId))?.media.audio;
  console.log(`${speaker}, ${offset} ms into ${audio?.path}`);
  console.log(snippet.highlights.map(([start, end]) => snippet.text.slice(start, end)).join(', '));
}
// #endregion

// #region list
const { memories } = await mirror.listMemories({ since: '2025-12-31T00:00:00Z' });
for (const { memory, missingSince } of memories) console.log(memory.name, missingSince ?? 'listed');
// #endregion

// #region pages
const { written, warnings } = await mirror.writePages({ timeZone: 'Europe/Berlin' });
console.log(`${written} pages written`);
for (const { path, writtenTo } of warnings) console.warn(`${path} was edited. The new version is ${writtenTo}.`);
// #endregion

const target = `${mirror.folder}/backup.sqlite`;
// #region backup
const { file, size } = await mirror.backup(target);
console.log(file, size);
// #endregion

// #region check
const { damaged } = await mirror.check();
for (const { memoryId, part, version, path } of damaged) console.error(memoryId, part, version ?? path);
// #endregion

// #region repair
const { repaired, lost } = await mirror.repair(client);
console.log(`${repaired} repaired, ${lost.length} lost`);
// #endregion

// #region export
for await (const record of mirror.exportRecords()) console.log(record.id, record.media.audio?.object_key);
// #endregion

const memory = await client.getMemory(String(memories[0]?.memory.id));
const { fileNames, toDocument } = await import('@memory-read/mirror');
// #region documents
const { srt, video } = fileNames(memory, { timeZone: 'UTC', media: { video: '.mp4' } });
console.log(srt, video);
console.log(toDocument(memory, 'srt') ?? 'There is no transcript yet.');
// #endregion
const folder = `${mirror.folder} files`;
// #region export-files
const { saved, renamed, kept } = await mirror.exportFiles(folder, { formats: ['srt', 'markdown'], media: true });
console.log(`${saved} files saved, ${renamed} renamed`);
for (const { path, writtenTo } of kept) console.warn(`${path} is yours. The new version is ${writtenTo}.`);
// #endregion
await mirror.close();
await (await import('node:fs/promises')).rm(folder, { recursive: true });
await (await import('node:fs/promises')).rm(mirror.folder, { recursive: true });
