import type { Command } from 'commander';
import type { CommandContext } from '../terminal/cli-process.ts';
import { addProfileOption } from './profile-name.ts';

/** The server to read from, and the key. */
export interface ConnectionOptions extends CommandContext {
  /** Root of the API without `/v1`. */
  baseUrl?: string | undefined;
  /** `env:NAME` or `file:PATH`. */
  apiKey?: string | undefined;
  /** Profile of the configuration file. */
  profile?: string | undefined;
  /** Whether the key may be sent over `http://` to another machine. Default: false. */
  allowInsecureHttp?: boolean | undefined;
  /** Origins from which media are downloaded. Default: those that the client allows. */
  mediaOrigin?: string[] | undefined;
}

/** Adds the options of commands that read from a server. */
export function addConnectionOptions(command: Command): Command {
  command
    .option('--base-url <url>', 'root of the API, without /v1 (default: MEMORY_API_URL, or the saved login)')
    .option('--api-key <source>', 'env:NAME or file:PATH of the key (default: MEMORY_API_KEY, or the saved login)');
  return addProfileOption(command).option(
    '--allow-insecure-http',
    'allow http:// for other machines, in a network you trust',
  );
}
