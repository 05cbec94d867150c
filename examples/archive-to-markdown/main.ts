import { isMemoryApiError, MemoryClient } from '@memory-read/client';
import { isMirrorError, openMirror } from '@memory-read/mirror';

const folder = process.argv[2] ?? 'memories';
try {
  const client = new MemoryClient(); // takes MEMORY_API_URL and MEMORY_API_KEY from the environment
  const mirror = await openMirror({ folder });
  const { listed, added, changed, failed } = await mirror.sync(client, { media: true });
  const { written, warnings } = await mirror.writePages();
  await mirror.close();
  console.log(
    `Memories: ${listed}, added: ${added}, changed: ${changed}, pages written: ${written}, in ${mirror.folder}`,
  );
  for (const { path, writtenTo } of warnings) console.error(`${path} was edited. The new version is ${writtenTo}.`);
  for (const { memoryId, error } of failed) console.error(`${memoryId} is left for the next run. ${error.message}`);
  if (failed.length > 0) process.exitCode = 1;
} catch (error) {
  if (!isMemoryApiError(error) && !isMirrorError(error)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
