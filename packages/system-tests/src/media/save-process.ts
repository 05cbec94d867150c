/** node save-process.ts BASE_URL PATH: saves the audio of `mem_1`, and prints its progress and its end as lines of JSON. */
import { MemoryClient } from '@memory-read/client';
import { saveMedia } from '@memory-read/client/node';

const [baseUrl, path = ''] = process.argv.slice(2);
const print = (line: unknown) => process.stdout.write(`${JSON.stringify(line)}\n`);
try {
  const onProgress = ({ bytesReceived }: { bytesReceived: number }) => void print({ bytesReceived });
  print(
    await saveMedia(new MemoryClient({ baseUrl, apiKey: process.env.MEMORY_API_KEY }), 'mem_1', 'audio', path, {
      onProgress,
    }),
  );
} catch (error) {
  const { name, message, code } = error as Error & { code?: string };
  print({ name, message, code });
  process.exitCode = 1;
}
