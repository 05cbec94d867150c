import { connect } from 'node:net';

/** A program: opens so many connections to a port of 127.0.0.1, says so in one line, and holds them until it is ended. */
const [port, count] = process.argv.slice(2).map(Number);
let open = 0;

for (let batch = 0; batch < Number(count); batch += 100) {
  await Promise.all(Array.from({ length: Math.min(100, Number(count) - batch) }, hold));
}
process.stdout.write(`${open}\n`);

function hold(): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), '127.0.0.1', () => {
      open += 1;
      resolve();
    });
    socket.on('error', reject);
    socket.on('close', () => {
      open -= 1;
    });
  });
}
