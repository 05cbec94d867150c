/** Prism as a mock of the OpenAPI document: it validates the request and answers with the document's example. */
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { type AddressInfo, createServer } from 'node:net';
import { announce } from '../loopback/announce.ts';

const load = createRequire(import.meta.url);
const { createSingleProcessPrism } = load('@stoplight/prism-cli/dist/util/createServer.js');
const port = await freePort();
await createSingleProcessPrism({
  document: load.resolve('@memory-read/contract/openapi.json'),
  port,
  host: '127.0.0.1',
  cors: false,
  dynamic: false,
  errors: false,
  multiprocess: false,
  verboseLevel: 'fatal',
});
announce(`http://127.0.0.1:${port}`);

/** Selects a port, because Prism does not report the one that it was given. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
