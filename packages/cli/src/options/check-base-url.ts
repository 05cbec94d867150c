import { CommandError, exitCodes } from '../terminal/command-error.ts';

/**
 * Returns a base URL without a trailing slash. Unencrypted `http://` is allowed only for this machine, unless
 * `allowInsecureHttp` is set.
 *
 * @throws CommandError if the URL is invalid. No message repeats a part that can be a secret.
 */
export function checkBaseUrl(text: string, allowInsecureHttp: boolean): string {
  const url = parseHttpUrl(text);
  if (url === undefined) {
    throw refuse('it does not begin with https://', 'Pass one such as https://api.example.com');
  }
  if (url.username !== '' || url.password !== '') {
    throw refuse('it contains a user name or a password', 'Remove them, and pass --api-key env:NAME or file:PATH');
  }
  if (/[?#]/.test(url.href)) throw refuse('it contains a query or a fragment', 'Remove it');
  if (url.protocol === 'http:' && !isLoopback(url) && !allowInsecureHttp) {
    throw refuse(
      `http:// would send the key unencrypted to ${url.host}`,
      'Use https://, or pass --allow-insecure-http in a network you trust',
    );
  }
  return normalUrl(url);
}

/** Returns whether two base URLs are the same without a trailing slash. */
export function isSameBaseUrl(one: string, other: string): boolean {
  const [first, second] = [one, other].map(parseHttpUrl);
  return first !== undefined && second !== undefined && normalUrl(first) === normalUrl(second);
}

function parseHttpUrl(text: string): URL | undefined {
  // The parser accepts `https:api.example.com`, which is most likely a mistake.
  return /^\s*https?:\/\//i.test(text) && URL.canParse(text) ? new URL(text) : undefined;
}

function normalUrl({ origin, pathname }: URL): string {
  return (origin + pathname).replace(/\/+$/, '');
}

/** Names below `localhost` do not count, because some resolvers send them to the network. */
function isLoopback({ hostname }: URL): boolean {
  return /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}

function refuse(reason: string, advice: string): CommandError {
  return new CommandError(exitCodes.usage, `Failed to use the base URL: ${reason}. ${advice}.`);
}
