/** `memory-read serve` over an SQLite file. */
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { cli } from '../measurement/run-node.ts';

const [node = '', program = '', file = ''] = process.argv;
process.argv = [node, program, 'serve', '--db', file, '--media-dir', dirname(file), '--port', '0', '--log', 'none'];
await import(pathToFileURL(cli).href);
