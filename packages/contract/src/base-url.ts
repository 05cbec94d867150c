/**
 * Which base URLs are accepted, and which of them are the same. Not stable: functions may change in a minor version.
 *
 * @packageDocumentation
 */

/** A base URL without a slash at its end, or what is wrong with it. `host` is a secret unless it is `unencrypted`. */
export type BaseUrl =
  | { url: string; problem?: undefined }
  | { problem: 'scheme' | 'syntax' | 'credentials' | 'query' | 'unencrypted'; host: string };

/** Reads an absolute base URL. Without `allowInsecureHttp`, only a loopback host can be reached over `http://`. */
export function readBaseUrl(text: string, allowInsecureHttp: boolean): BaseUrl {
  // The parser accepts `https:api.example.com`, which is most likely a mistake.
  if (!/^\s*https?:\/\//i.test(text)) return { problem: 'scheme', host: '' };
  const url = parse(text);
  if (url === undefined) return { problem: 'syntax', host: '' };
  const { username, password, href, protocol, hostname, host } = url;
  if (username !== '' || password !== '') return { problem: 'credentials', host };
  if (/[?#]/.test(href)) return { problem: 'query', host };
  if (protocol === 'http:' && !allowInsecureHttp && !isLoopback(hostname)) return { problem: 'unencrypted', host };
  return { url: normal(url) };
}

/** Returns whether two texts are the same absolute base URL, whatever its notation. */
export function isSameBaseUrl(one: string, other: string): boolean {
  const [first, second] = [one, other].map((text) => (/^\s*https?:\/\//i.test(text) ? parse(text) : undefined));
  return first !== undefined && second !== undefined && normal(first) === normal(second);
}

/** Names below `localhost` do not count, because some resolvers send them to the network. */
export function isLoopback(hostname: string): boolean {
  return /^(?:localhost|127(?:\.\d+){3}|\[?::1\]?)$/.test(hostname);
}

function parse(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

function normal({ origin, pathname }: URL): string {
  return (origin + pathname).replace(/\/+$/, '');
}
