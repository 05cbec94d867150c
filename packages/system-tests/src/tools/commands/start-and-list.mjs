// Runs `npm start`, lists with the key that it prints, ends npm, and prints what it saw as one line of JSON.
// For any Node that can run the two commands.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const startedAt = performance.now();
const npm = spawn('npm', ['start', ...process.argv.slice(2)], { stdio: ['ignore', 'pipe', 'pipe'] });
const closed = new Promise((resolve) => npm.on('close', resolve));
let stderr = '';
npm.stderr.on('data', (chunk) => (stderr += chunk));

for await (const line of createInterface({ input: npm.stdout })) {
  if (!line.startsWith('{')) continue;
  const seconds = (performance.now() - startedAt) / 1000;
  const { baseUrl, apiKey } = JSON.parse(line);
  const response = await fetch(`${baseUrl}/v1/memories`, { headers: { authorization: `Bearer ${apiKey}` } });
  const memories = (await response.json()).length;
  npm.kill('SIGTERM');
  // npm's pipes close when the last process that holds them has ended: the server too.
  await closed;
  const isListening = await fetch(baseUrl).then(
    () => true,
    () => false,
  );
  console.log(JSON.stringify({ memories, seconds, isListening, stderr }));
}
if ((await closed) === 1) console.log(JSON.stringify({ code: 1, stderr }));
