/** json-server with one memory, as it stands in a file, without a key. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { listen } from '../loopback/listen.ts';

const jsonServer = createRequire(import.meta.url)('json-server');
const app = jsonServer.create();
app.use('/v1', jsonServer.router({ memories: [JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'))] }));
listen(app);
