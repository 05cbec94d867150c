import { isIP, isIPv4 } from 'node:net';
import { usageError } from '../terminal/command-error.ts';

/** @throws CommandError if the text is not a port number. */
export function parsePort(text: string, option = '--port'): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= 65_535) return port;
  throw usageError(`${option}: ${JSON.stringify(text)} is not a port. Pass a number from 0 to 65535.`);
}

/** @throws CommandError if an entry is neither an address nor a network. */
export function parseNetworks(text: string): string[] {
  const networks = text.split(',').map((network) => network.trim());
  const wrong = networks.findIndex((network) => !isNetwork(network));
  if (wrong === -1) return networks;
  throw usageError(
    `--trust-proxy: entry ${wrong + 1} is not an address or a network. Pass entries such as 10.0.0.0/8,::1.`,
  );
}

function isNetwork(text: string): boolean {
  const [, address = '', prefix = '0'] = /^([^/%]*)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  return isIP(address) !== 0 && Number(prefix) <= (isIPv4(address) ? 32 : 128);
}

/** @throws CommandError if the text is not an address. With an empty one, Node would listen on all addresses. */
export function parseHost(text: string, option = '--host'): string {
  if (/^[\w.:%-]+$/.test(text)) return text;
  throw usageError(`${option}: it is not an address. Pass an address of this machine, such as 127.0.0.1 or ::1.`);
}

/** Returns the first and the last port of a range. */
export function parsePorts(text: string): readonly [first: number, last: number] {
  const [first = Number.NaN, last = Number.NaN] = /^\d{1,5}-\d{1,5}$/.test(text) ? text.split('-').map(Number) : [];
  if (first >= 1 && last >= first && last <= 65_535) return [first, last];
  throw usageError(`--space-ports: ${JSON.stringify(text)} is not a range of ports. Pass one such as 8801-8820.`);
}

/**
 * Returns the URL without a trailing slash.
 *
 * @throws CommandError if the URL is not a valid public URL.
 */
export function parsePublicUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url !== undefined && /^https?:$/.test(url.protocol) && url.origin + url.pathname === url.href;
  // The value is not repeated, because it may contain credentials.
  if (!isPlain || !/^(\/[\w.~-]+)*\/?$/.test(url.pathname)) {
    throw usageError('--public-url: it is not a plain http or https URL. Pass one like https://example.com/memories.');
  }
  const [, firstSegment = ''] = url.pathname.split('/');
  if (ownSegments.includes(firstSegment)) {
    throw usageError(`--public-url: the path must not include /${firstSegment}. Remove it.`);
  }
  return url.href.replace(/\/$/, '');
}

const ownSegments = ['v1', 'media', 'docs', 'openapi.json', 'healthz', 'readyz'];
