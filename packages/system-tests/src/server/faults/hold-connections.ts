import { connect } from 'node:net';

/**
 * A program: opens so many connections to a port of 127.0.0.1, says in one line how many, and holds them and says nothing.
 * Once all are closed from the other side, it says in a second line of how many it was told that they were late.
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
