import { readFile, rm, writeFile } from 'node:fs/promises';
import { MemoryClient } from '@memory-read/client';
import { renameSpeakers, toText } from '@memory-read/client/transcript';
import { isMirrorError, openMirror } from '@memory-read/mirror';

const client = new MemoryClient();
const folder = `${process.env.MEMORY_FOLDER ?? 'memories'} people`;
const file = `${folder}.jsonl`;
const mirror = await openMirror({ folder });
await mirror.sync(client);
const [newest] = (await mirror.listMemories()).memories;
const id = String(newest?.memory.id);

// #region name
for (const { label, person, excerpts } of await mirror.people.speakers(id))
  console.log(label, person, excerpts[0]?.text);

await mirror.people.name(id, 'Speaker 1', 'Tom', { me: true }); // this is you
await mirror.people.name(id, 'Speaker 2', 'Ada');
const { hits } = await mirror.search('speaker:Ada promise');
for (const { person, speaker, snippet } of hits) console.log(person, speaker, snippet.text);
// #endregion

// #region read
const found = await mirror.getMemory(id);
if (found) console.log(toText(renameSpeakers(found.memory, found.names)));
// #endregion

// #region rename
await mirror.people.rename('Ada', 'Ada Byron'); // in all memories
await mirror.people.merge('Tom', 'Ada Byron'); // a mistake
await mirror.people.undo();
for (const { name, isMe, memories } of await mirror.people.list()) console.log(name, isMe, memories);
// #endregion

// #region name-taken
try {
  await mirror.people.rename('Tom', 'Ada Byron');
} catch (error) {
  if (!isMirrorError(error) || error.code !== 'name_taken') throw error;
  console.log(error.message);
}
// #endregion

// #region share
await writeFile(file, mirror.people.export());
const { changed, unchanged } = await mirror.people.import(await readFile(file, 'utf8'));
console.log(`${changed} changed, ${unchanged} unchanged`);
// #endregion

// #region doubts
for (const { name, person, label, likely } of await mirror.people.doubts())
  console.log(`${name}: ${person} was ${label}${likely === null ? '' : `, and is most likely ${likely}`}`);
// #endregion

// #region unname
const wasNamed = await mirror.people.unname(id, 'Speaker 1');
console.log(wasNamed);
// #endregion

// #region forget
const { forgotten, leftFiles } = await mirror.people.forget('Ada Byron');
console.log(forgotten, leftFiles);
// #endregion
await mirror.close();
await rm(file);
await rm(folder, { recursive: true });
