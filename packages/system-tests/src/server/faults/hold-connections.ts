import { connect } from 'node:net';

/**
 * A program that opens connections to a port of 127.0.0.1, prints their number, and sends nothing. When the server has
 * closed all of them, it prints how many received a 408.
 */
const [port, count] = process.argv.slice(2).map(Number);
let open = 0;
let late = 0;
const closed: Promise<void>[] = [];

for (let batch = 0; batch < Number(count); batch += 100) {
  await Promise.all(Array.from({ length: Math.min(100, Number(count) - batch) }, hold));
}
process.stdout.write(`${open}\n`);
await Promise.all(closed);
process.stdout.write(`${late}\n`);

function hold(): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), '127.0.0.1', () => {
      open += 1;
      resolve();
    });
    socket.setEncoding('latin1').on('data', (text) => {
      if (String(text).startsWith('HTTP/1.1 408 ')) late += 1;
    });
    socket.on('error', reject);
    closed.push(new Promise((end) => void socket.once('close', () => end())));
  });
}
