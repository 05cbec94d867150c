/** Bare `node:http` that answers everything with the bytes of one file. */
import { readFileSync } from 'node:fs';
import { listen } from '../loopback/listen.ts';

const body = readFileSync(process.argv[2] ?? '');
const headers = { 'content-type': 'application/json', 'content-length': body.byteLength };

listen((_, response) => response.writeHead(200, headers).end(body));
