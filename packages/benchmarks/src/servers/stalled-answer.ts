/** Bare `node:http` that answers everything with headers and the first byte of a body, and nothing after it. */
import { createServer } from 'node:http';
import { listen } from './listen.ts';

const headers = { 'content-type': 'application/json', 'content-length': 1_000 };

listen(createServer((_, response) => response.writeHead(200, headers).write('{')));
