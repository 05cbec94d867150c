import { BlockList, isIP, isIPv4, SocketAddress } from 'node:net';

/** Returns the address of the caller of a request, or `null` if the connection ended before its address was read. */
export type ClientAddressOf = (connection: string | undefined, forwardedFor?: string | undefined) => string | null;

/**
 * Returns a function that finds callers behind trusted proxies.
 *
 * `X-Forwarded-For` is read from the right, because each proxy adds the address that it saw at the end. The first address
 * that is not trusted is that of the caller. The caller can have written all entries before it.
 *
 * @throws TypeError if an entry is not an address or a network.
 */
export function createClientAddressOf(trustedProxies: readonly string[] = []): ClientAddressOf {
  const trusted = toBlockList(trustedProxies);
  const isTrusted = (address: string) => trusted.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
  return (connection, forwardedFor = '') => {
    if (connection === undefined) return null;
    let address = plain(connection);
    if (trustedProxies.length === 0) return address;
    for (let end = forwardedFor.length; end > 0 && isTrusted(address); ) {
      // Only as much of a long header is read as trusted proxies have written.
      const start = forwardedFor.lastIndexOf(',', end - 1) + 1;
      const before = addressIn(forwardedFor.slice(start, end));
      if (before === undefined) break;
      address = before;
      end = start - 1;
    }
    return address;
  };
}

function toBlockList(networks: readonly string[]): BlockList {
  if (!Array.isArray(networks)) throw refusal('trustedProxies is not an array');
  const list = new BlockList();
  for (const [index, network] of networks.entries()) {
    const [, address = '', prefix] = /^([^/%]*)(?:\/(\d{1,3}))?$/.exec(network) ?? [];
    const version = isIP(address);
    const bits = version === 4 ? 32 : 128;
    const length = prefix === undefined ? bits : Number(prefix);
    if (version === 0 || length > bits) {
      throw refusal(`entry ${index + 1} of trustedProxies is not an address or a network`);
    }
    list.addSubnet(address, length, version === 4 ? 'ipv4' : 'ipv6');
  }
  return list;
}

function refusal(reason: string): TypeError {
  return new TypeError(`Failed to start the server: ${reason}. Pass an array such as ['10.0.0.0/8', '::1'].`);
}

/** Returns the address of an entry, which can have a port: `1.2.3.4`, `1.2.3.4:80`, `::1`, `[::1]` or `[::1]:80`. */
function addressIn(entry: string): string | undefined {
  const text = entry.trim();
  const [, bracketed, dotted] = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d{1,5})?$/.exec(text) ?? [];
  const address = bracketed ?? dotted ?? text;
  if (bracketed !== undefined && isIPv4(bracketed)) return undefined;
  return isIP(address) === 0 ? undefined : plain(address);
}

/** Returns an address in its shortest spelling, without a zone, and an IPv4 address without `::ffff:`. */
function plain(address: string): string {
  if (isIPv4(address)) return address;
  const { address: short } = new SocketAddress({ address, family: 'ipv6' });
  return short.replace(/^::ffff:(?=[\d.]+$)/, '');
}
