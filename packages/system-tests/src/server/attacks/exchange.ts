import { connect } from 'node:net';

/**
 * Sends bytes on their own connection, and returns everything that the server sends until it closes the connection.
 *
 * It closes its own side when the response begins, because the server would see an earlier close as a disconnected
 * client. For a request whose announced body is missing, the response is sent only then.
 */
export function exchange(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(Buffer.from(bytes, 'latin1')));
    const announcesBody = /^(?:content-length|transfer-encoding):/im.test(bytes);
    const unanswered = announcesBody ? setTimeout(() => socket.end(), 500) : undefined;
    const hang = setTimeout(() => {
      socket.destroy();
      reject(new Error(`The server neither answered nor closed within 20 s; it sent ${JSON.stringify(answer)}.`));
    }, 20_000);
    socket.setEncoding('latin1').on('data', (chunk) => {
      answer += chunk;
      socket.end();
    });
    // A server that rejects a request early may reset the connection while the request is still being sent.
    socket.on('error', () => {});
    socket.on('close', () => {
      clearTimeout(hang);
      clearTimeout(unanswered);
      resolve(answer);
    });
  });
}
