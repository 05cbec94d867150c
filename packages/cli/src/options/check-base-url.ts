import { readBaseUrl } from '@memory-read/contract/base-url';
import { CommandError, exitCodes } from '../terminal/command-error.ts';

/**
 * Returns a base URL without a trailing slash.
 *
 * @throws CommandError if the URL is invalid. No message repeats a part that can be a secret.
 */
export function checkBaseUrl(text: string, allowInsecureHttp: boolean): string {
  const read = readBaseUrl(text, allowInsecureHttp);
  if (read.problem === undefined) return read.url;
  const { host, problem } = read;
  const { reason, advice } = {
    scheme: { reason: 'it does not begin with https://', advice: 'Pass one such as https://api.example.com' },
    syntax: { reason: 'it is not a URL', advice: 'Pass one such as https://api.example.com' },
    credentials: {
      reason: 'it contains a user name or a password',
      advice: 'Remove them, and pass --api-key env:NAME or file:PATH',
    },
    query: { reason: 'it contains a query or a fragment', advice: 'Remove it' },
    unencrypted: {
      reason: `http:// would send the key unencrypted to ${host}`,
      advice: 'Use https://, or pass --allow-insecure-http in a network you trust',
    },
  }[problem];
  throw new CommandError(exitCodes.usage, `Failed to use the base URL: ${reason}. ${advice}.`);
}
