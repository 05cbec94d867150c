import { operations } from '@memory-read/contract/operations';

const pages: Record<string, string | undefined> = {
  '': 'root',
  '/': 'root',
  '/docs': 'docs',
  '/openapi.json': 'openapi',
  '/healthz': 'healthz',
  '/readyz': 'readyz',
};

/** Returns the name of a path for the log. Paths with and without the prefix have the same name. */
export function createOperationOf(publicUrl: string | undefined): (path: string) => string | null {
  const prefix = publicUrl === undefined ? '' : new URL(publicUrl).pathname.replace(/\/$/, '');
  return (path) => {
    const resolved = withoutDotSegments(path);
    const isBelow = resolved === prefix || resolved.startsWith(`${prefix}/`);
    return nameOf(isBelow ? resolved.slice(prefix.length) : resolved);
  };
}

/** Removes dot segments, as `Request` does before a handler sees the URL. */
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
