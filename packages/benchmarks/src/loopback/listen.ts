import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Answers with bare `node:http` on a free port of 127.0.0.1. */
export function listen(answer: RequestListener): void {
  const server = createServer(answer).listen(0, '127.0.0.1', () => announce((server.address() as AddressInfo).port));
}

/** Prints what `memory-read serve` prints when it is ready. */
export function announce(port: number): void {
  console.log(JSON.stringify({ baseUrl: `http://127.0.0.1:${port}` }));
}
