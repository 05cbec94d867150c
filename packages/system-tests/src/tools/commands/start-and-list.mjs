// Runs `npm start`, lists memories with the printed key, ends npm, and prints what it observed as one line of JSON.
// Runs on any Node that supports the two commands.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const npm = spawn('npm', ['start', ...process.argv.slice(2)], { stdio: ['ignore', 'pipe', 'pipe'] });
const closed = new Promise((resolve) => npm.on('close', resolve));
let stderr = '';
npm.stderr.on('data', (chunk) => (stderr += chunk));

for await (const line of createInterface({ input: npm.stdout })) {
  if (!line.startsWith('{')) continue;
  const { baseUrl, apiKey } = JSON.parse(line);
  const response = await fetch(`${baseUrl}/v1/memories`, { headers: { authorization: `Bearer ${apiKey}` } });
  const memories = (await response.json()).length;
  npm.kill('SIGTERM');
  // The pipes of npm close when the last process that holds them has ended. The server holds them too.
  await closed;
  const isListening = await fetch(baseUrl).then(
    () => true,
    () => false,
  );
  console.log(JSON.stringify({ memories, isListening, stderr }));
}
if ((await closed) === 1) console.log(JSON.stringify({ code: 1, stderr }));
