import { connect } from 'node:net';

/** Sends bytes on a connection of their own, closes its own side, and gives all that comes back until the server closes. */
export function exchange(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => socket.end(Buffer.from(bytes, 'latin1')));
    const hang = setTimeout(() => {
      socket.destroy();
      reject(new Error(`The server neither answered nor closed within 5 s; so far it sent ${JSON.stringify(answer)}.`));
    }, 5_000);
    socket.setEncoding('latin1');
    socket.on('data', (chunk) => (answer += chunk));
    // A server that refuses early may reset what is still being sent.
    socket.on('error', () => {});
    socket.on('close', () => {
      clearTimeout(hang);
      resolve(answer);
    });
  });
}
