/** json-server with one memory, as it stands in a file, without a key. */
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createRequire } from 'node:module';
import { listen } from './listen.ts';

const jsonServer = createRequire(import.meta.url)('json-server');
const app = jsonServer.create();
app.use('/v1', jsonServer.router({ memories: [JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'))] }));
listen(createServer(app as RequestListener));
