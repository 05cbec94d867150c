import type { Command } from 'commander';
import { notEmpty } from './not-empty.ts';

/** Which server to read from, and as whom. */
export interface ConnectionOptions {
  /** Root of the API without `/v1`. */
  baseUrl?: string | undefined;
  /** `env:NAME` or `file:PATH`. */
  apiKey?: string | undefined;
}

/** The options that every command which reads from a server shares. */
export function addConnectionOptions(command: Command): Command {
  return command
    .option('--base-url <url>', 'root of the API without /v1; MEMORY_API_URL by default', notEmpty('--base-url'))
    .option('--api-key <source>', 'env:NAME or file:PATH with the key; env:MEMORY_API_KEY by default');
}
