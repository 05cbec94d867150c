/**
 * save-process.ts PATH: saves a recording that this process makes. The first call breaks off, the second one resumes, and
 * the third one replaces the file. Prints what they end with as JSON.
 */
import { saveFromMemory } from './save-from-memory.ts';
import { createBytes } from './storage-object.ts';

const [path = ''] = process.argv.slice(2);
const bytes = createBytes(20_000);
const ends: unknown[] = [];
for (const cutAfter of [5_000, undefined, undefined]) {
  ends.push(await saveFromMemory(path, { bytes, cutAfter }).catch(String));
}
console.log(JSON.stringify(ends));
