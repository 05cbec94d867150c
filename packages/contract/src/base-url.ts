/**
 * Which base URLs and hosts are accepted, and which URLs are the same. Not stable: functions may change in a minor version.
 *
 * @packageDocumentation
 */

/** A base URL without a slash at its end, or what is wrong with it. `host` is a secret unless it is `unencrypted`. */
export type BaseUrl =
  | { url: string; problem?: undefined; host?: undefined }
  | { problem: 'scheme' | 'syntax' | 'credentials' | 'query' | 'unencrypted'; host: string; url?: undefined };

/** Reads an absolute base URL. Without `allowInsecureHttp`, only a loopback host can be reached over `http://`. */
export function readBaseUrl(text: string, allowInsecureHttp: boolean): BaseUrl {
  // The parser accepts `https:api.example.com`, which is most likely a mistake.
  if (!/^\s*https?:\/\//i.test(text)) return { problem: 'scheme', host: '' };
  const url = parseUrl(text);
  if (!url) return { problem: 'syntax', host: '' };
  const { username, password, href, protocol, hostname, host } = url;
  if (username + password) return { problem: 'credentials', host };
  if (/[?#]/.test(href)) return { problem: 'query', host };
  if (protocol === 'http:' && !allowInsecureHttp && !isLoopback(hostname)) return { problem: 'unencrypted', host };
  return { url: href.replace(/\/+$/, '') };
}

/** Returns whether two texts are the same absolute base URL, whatever its notation. */
export function isSameBaseUrl(one: string, other: string): boolean {
  const { url } = readBaseUrl(one, true);
  return url !== undefined && url === readBaseUrl(other, true).url;
}

/** Names below `localhost` do not count, because some resolvers send them to the network. */
export function isLoopback(hostname: string): boolean {
  return /^(?:localhost|127(?:\.\d+){3}|\[?::1\]?)$/.test(hostname);
}

/**
 * Returns whether the `Host` of a request is a loopback name or one of these names. A name without a port allows every
 * port.
 *
 * Another site can resolve its name to this machine, so that its pages reach a server here. `Host` then has that name.
 */
export function isAllowedHost(host: string | null | undefined, allowed: readonly string[]): boolean {
  // A name is the operator's, but `Host` is the caller's: it can have a user or a path before what it names.
  const url = host && /^[\w.\-:[\]]+$/.test(host) ? parseHost(host) : undefined;
  return url !== undefined && (isLoopback(url.hostname) || allowed.some((name) => isSameHost(url, parseHost(name))));
}

function isSameHost(url: URL, name: URL | undefined): boolean {
  return name?.port === '' ? name.hostname === url.hostname : name?.host === url.host;
}

function parseHost(host: string): URL | undefined {
  // People write an IPv6 address without brackets.
  return parseUrl(/:.*:/.test(host) && !host.startsWith('[') ? `http://[${host}]` : `http://${host}`);
}

/** Returns undefined if the text is not a URL. */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
