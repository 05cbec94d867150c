import { connect } from 'node:net';

/** What came back, as far as tests look at it. */
export interface RawAnswer {
  status: number;
  /** Status line and headers. */
  head: string;
  /** Without the marks of its chunks. */
  body: string;
  /** Whether the body has the end that its headers promise. */
  isWhole: boolean;
}

/** Sends bytes on a connection of their own, and reads until the server closes it. */
export async function rawAnswer(port: number, bytes: string): Promise<RawAnswer> {
  const text = await exchange(port, bytes);
  const [head = '', rest = ''] = text.split(/\r\n\r\n(.*)/s);
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]);
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  if (!/\r\ntransfer-encoding: chunked/i.test(head)) {
    return { status, head, body: utf8(rest), isWhole: length === undefined || Number(length) === rest.length };
  }
  return { status, head, body: utf8(withoutChunks(rest)), isWhole: rest.endsWith('\r\n0\r\n\r\n') };
}

function withoutChunks(text: string): string {
  let body = '';
  for (let at = 0; at < text.length; ) {
    const size = Number.parseInt(text.slice(at), 16);
    const start = text.indexOf('\r\n', at) + 2;
    body += text.slice(start, start + size);
    at = start + size + 2;
  }
  return body;
}

function exchange(port: number, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(Buffer.from(bytes, 'latin1')));
    socket.setEncoding('latin1').on('data', (chunk) => (answer += chunk));
    // A server that breaks an answer off may reset the connection.
    socket.on('error', () => {});
    socket.on('close', () => resolve(answer));
  });
}

function utf8(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
