import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';

/** A running forward proxy. */
export interface RunningProxy extends AsyncDisposable {
  /** Such as `127.0.0.1:8080`. */
  host: string;
  /** Requests so far, such as `passed CONNECT 127.0.0.1:8787`. */
  asked: string[];
}

/** Starts a proxy for plain requests and for tunnels. With `credentials` (`user:password`), it requires them. */
export async function startProxy(credentials?: string): Promise<RunningProxy> {
  const expected = credentials && `Basic ${Buffer.from(credentials).toString('base64')}`;
  const asked: string[] = [];
  const admit = ({ method, url, headers }: IncomingMessage) => {
    const isAdmitted = headers['proxy-authorization'] === expected;
    asked.push(`${isAdmitted ? 'passed' : 'refused'} ${method} ${url}`);
    return isAdmitted;
  };
  const proxy = createServer(async (request, response) => {
    if (!admit(request)) return void response.writeHead(407).end();
    const { authorization = '' } = request.headers;
    const answer = await fetch(request.url ?? '', { headers: { authorization } });
    response
      .writeHead(answer.status, { 'content-type': 'application/json' })
      .end(Buffer.from(await answer.arrayBuffer()));
  }).listen(0, '127.0.0.1');
  proxy.on('connect', (request, socket) => {
    if (!admit(request)) return void socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
    const { hostname, port } = new URL(`http://${request.url}`);
    const onward = connect(Number(port), hostname, () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      onward.pipe(socket).pipe(onward);
    });
    onward.on('error', () => socket.destroy());
    socket.on('error', () => onward.destroy());
  });
  await once(proxy, 'listening');
  return {
    host: `127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    asked,
    [Symbol.asyncDispose]: async () => void (await once(proxy.close(), 'close')),
  };
}
