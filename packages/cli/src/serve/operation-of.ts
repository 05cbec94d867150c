import { operations } from '@memory-read/contract/operations';

const pages: Record<string, string | undefined> = {
  '': 'root',
  '/': 'root',
  '/docs': 'docs',
  '/openapi.json': 'openapi',
  '/healthz': 'healthz',
  '/readyz': 'readyz',
};

/** Names what a path of the service leads to, as the log calls it; paths below the prefix are those at the root. */
export function createOperationOf(publicUrl: string | undefined): (path: string) => string | null {
  const prefix = publicUrl === undefined ? '' : new URL(publicUrl).pathname.replace(/\/$/, '');
  return (path) => {
    const resolved = withoutDotSegments(path);
    const isBelow = resolved === prefix || resolved.startsWith(`${prefix}/`);
    return nameOf(isBelow ? resolved.slice(prefix.length) : resolved);
  };
}

/** As every request's URL is, before anybody sees it. */
function withoutDotSegments(path: string): string {
  return /\/(?:\.|%2e)/i.test(path) ? new URL(`http://service${path}`).pathname : path;
}

function nameOf(path: string): string | null {
  if (/^\/media\/./.test(path)) return 'media';
  const operation = patterns.find(({ pattern }) => pattern.test(path));
  return operation?.id ?? (Object.hasOwn(pages, path) ? (pages[path] ?? null) : null);
}

const patterns = Object.values(operations).map(({ id, path }) => ({
  id,
  pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
}));
