import { readEnvironment } from '../configuration/environment.ts';

/** Returns the advice for a failed connection if Node.js leaves a proxy variable unused; an empty text otherwise. */
export function proxyHint(url: string): string {
  const variable = unusedProxyVariable(new URL(url));
  return variable ? `, or set NODE_USE_ENV_PROXY=1: without it, Node.js does not use ${variable}` : '';
}

/**
 * Returns the name of the proxy variable that applies to a URL but that Node.js does not use, if there is one. Bun and
 * Deno use these variables by themselves.
 */
function unusedProxyVariable({ protocol, hostname }: URL): string | undefined {
  const { navigator } = globalThis as { readonly navigator?: { readonly userAgent?: string } };
  if (!navigator?.userAgent?.startsWith('Node.js') || readEnvironment('NODE_USE_ENV_PROXY') === '1') return undefined;
  const nameOf = (name: string) => [name.toUpperCase(), name].find(readEnvironment);
  const exempt = readEnvironment(nameOf('no_proxy') ?? '')?.split(/[\s,]+/);
  // An entry is a host, a domain such as ".example.com", or "*".
  const isExempt = exempt?.some((entry) => {
    const host = entry.toLowerCase().replace(/^\*?\.?|:\d+$/g, '');
    return entry && `.${hostname}`.endsWith(host && `.${host}`);
  });
  return isExempt ? undefined : nameOf(`${protocol.slice(0, -1)}_proxy`);
}
