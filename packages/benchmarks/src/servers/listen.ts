import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { announce } from '../loopback/announce.ts';

/** Listens on a free port of 127.0.0.1 and sends its URL to the parent. */
export function listen(server: Server): void {
  server.listen(0, '127.0.0.1', () => announce(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
}
