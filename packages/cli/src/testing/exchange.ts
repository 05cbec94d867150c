import { connect } from 'node:net';

/** Sends bytes to the port of a URL, and reads until the connection ends, in whatever way. */
export function exchange(url: string, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(bytes));
    socket.setEncoding('latin1').on('data', (chunk) => (answer += chunk));
    socket.on('error', () => {}).on('close', () => resolve(answer));
  });
}
