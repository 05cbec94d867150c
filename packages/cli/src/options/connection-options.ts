import type { Command } from 'commander';
import { notEmpty } from './not-empty.ts';

/** The server to read from, and the key. */
export interface ConnectionOptions {
  /** Root of the API without `/v1`. */
  baseUrl?: string | undefined;
  /** `env:NAME` or `file:PATH`. */
  apiKey?: string | undefined;
  /** Origins from which media are downloaded. Default: those that the client allows. */
  mediaOrigin?: string[] | undefined;
}

/** Adds the options of commands that read from a server. */
export function addConnectionOptions(command: Command): Command {
  return command
    .option('--base-url <url>', 'root of the API without /v1; MEMORY_API_URL by default', notEmpty('--base-url'))
    .option('--api-key <source>', 'env:NAME or file:PATH with the key; env:MEMORY_API_KEY by default');
}
