import { createServer, type IncomingMessage, request as sendOn } from 'node:http';
import { type AddressInfo, connect } from 'node:net';

// A forward proxy as a process of its own. Its argument is the `user:password` that it asks for, if any. It prints its
// port, and then a line for whatever it is asked for.
const credentials = process.argv[2];
const expected = credentials && `Basic ${Buffer.from(credentials).toString('base64')}`;

const proxy = createServer((request, response) => {
  if (!admit(request)) return void response.writeHead(407).end();
  const { 'proxy-authorization': _, 'proxy-connection': __, ...headers } = request.headers;
  const onward = sendOn(request.url ?? '', { method: request.method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  onward.on('error', () => response.destroy());
  request.pipe(onward);
});

proxy.on('connect', (request, socket) => {
  if (!admit(request)) return void socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
  const [host, port] = (request.url ?? '').split(':');
  const onward = connect(Number(port), host, () => {
    socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    onward.pipe(socket).pipe(onward);
  });
  onward.on('error', () => socket.destroy());
  socket.on('error', () => onward.destroy());
});

proxy.listen(0, '127.0.0.1', () => console.log((proxy.address() as AddressInfo).port));

function admit({ method, url, headers }: IncomingMessage): boolean {
  const isAdmitted = headers['proxy-authorization'] === expected;
  console.log(`${isAdmitted ? 'passed' : 'refused'} ${method} ${url}`);
  return isAdmitted;
}
