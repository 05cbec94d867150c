import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { authorization } from '../memories/account.ts';

/** Opens connections that each request a resource and read nothing of the response. */
export function requestUnread(url: string, connections: number): Promise<Socket[]> {
  const { hostname, port, pathname, host } = new URL(url);
  const request = `GET ${pathname} HTTP/1.1\r\nhost: ${host}\r\nauthorization: ${authorization}\r\n\r\n`;
  return Promise.all(
    Array.from({ length: connections }, async () => {
      const socket = connect(Number(port), hostname);
      await once(socket, 'connect');
      socket.write(request);
      return socket;
    }),
  );
}
