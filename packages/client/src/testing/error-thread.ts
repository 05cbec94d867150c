import { parentPort } from 'node:worker_threads';
import { everyError } from './every-error.ts';

// Posts every error, and then fails with the last one.
for (const error of everyError) parentPort?.postMessage({ error, record: error.toJSON() });
throw everyError.at(-1);
