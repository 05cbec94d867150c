import { parseUrl } from '@memory-read/contract/base-url';

/** Whether an entry of the option `mediaOrigins` is an origin, such as `https://media.example.com` or `https://*.example.com`. */
export function isMediaOrigin(entry: unknown): boolean {
  const url = typeof entry === 'string' ? parseEntry(entry) : undefined;
  // A user, a path, a query or a fragment makes the address longer than the origin.
  return url !== undefined && /^http[^*]+$/.test(url.origin) && url.href === `${url.origin}/`;
}

/** Whether media may be downloaded from a URL. Without origins, the URL of the API decides. Names are not resolved. */
export function isMediaAllowed(url: URL, apiUrl: string, origins: readonly string[] | undefined): boolean {
  if (origins) return origins.some((entry) => matches(url, entry));
  const api = new URL(apiUrl);
  const [zone, apiZone] = [zoneOf(url.hostname), zoneOf(api.hostname)];
  const isEncrypted = url.protocol === 'https:' || api.protocol === 'http:';
  return isEncrypted && (zone === 0 || (zone <= apiZone && apiZone < zones.length));
}

function matches({ origin, protocol, port, hostname }: URL, entry: string): boolean {
  const allowed = parseEntry(entry) as URL;
  if (!entry.includes('*')) return origin === allowed.origin;
  return protocol === allowed.protocol && port === allowed.port && hostname.endsWith(`.${allowed.hostname}`);
}

function parseEntry(entry: string): URL | undefined {
  return parseUrl(entry.replace('//*.', '//'));
}

/** Beginnings of addresses, by how near they are. Addresses of carriers (100.64.0.0/10) count as private. */
const zones = [
  /^(10|192\.168|172\.(1[6-9]|2\d|3[01])|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])|198\.1[89])\.|^\[f([cd]\w\w|e[c-f]\w):/,
  /^127\.|^\[::1\]/,
  // Never allowed: unspecified, link-local, multicast and reserved addresses, and those that carry any other (6to4, Teredo,
  // local NAT64).
  /^(0|169\.254|192\.(0\.[02]|88\.99)|198\.51\.100|203\.0\.113|22[4-9]|2[345]\d)\.|^\[(fe[89ab]\w|ff\w\w|100|2001:(0|db8)?|2002|64:ff9b:1):/,
];

/** Returns 0 for a public host, or the position in the zones from 1. `URL` writes all forms of an address in one way. */
function zoneOf(hostname: string): number {
  const host = hostname.replace(/\.$/, '');
  // The last part of a name is never a number.
  if (!/^\[|\.\d+$/.test(host)) return /^(.+\.)?localhost$/.test(host) ? 2 : 0;
  // IPv6 addresses that hold an IPv4 address: mapped, translated, compatible and NAT64.
  const embedded = /^\[(?!::1\])(?:::(?:ffff:(?:0:)?)?|64:ff9b::)(?:([\da-f]+):)?[\da-f]*\]$/.exec(host);
  const high = Number(`0x${embedded?.[1] ?? 0}`);
  const address = embedded ? `${high >> 8}.${high & 255}.` : host;
  return zones.findIndex((zone) => zone.test(address)) + 1;
}
