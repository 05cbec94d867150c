import { operations } from '@memory-read/contract/operations';

const pages: Record<string, string | undefined> = {
  '': 'root',
  '/': 'root',
  '/docs': 'docs',
  '/openapi.json': 'openapi',
  '/favicon.ico': 'docs',
  '/healthz': 'healthz',
  '/readyz': 'readyz',
};

/** Returns the name of a path for the log. Paths with and without the prefix have the same name. */
export function createOperationOf(publicUrl: string | undefined): (path: string) => string | null {
  const prefix = publicUrl === undefined ? '' : new URL(publicUrl).pathname.replace(/\/$/, '');
  return (path) => {
    if (dotSegment.test(path)) return null;
    const isBelow = path === prefix || path.startsWith(`${prefix}/`);
    return nameOf(isBelow ? path.slice(prefix.length) : path);
  };
}

/** The server answers such a path with 404, whatever it would resolve to. */
const dotSegment = /\/(?:\.|%2e){1,2}(?:\/|$)/i;

function nameOf(path: string): string | null {
  if (/^\/media\/./.test(path)) return 'media';
  const operation = patterns.find(({ pattern }) => pattern.test(path));
  return operation?.id ?? (Object.hasOwn(pages, path) ? (pages[path] ?? null) : null);
}

const patterns = Object.values(operations).map(({ id, path }) => ({
  id,
  pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
}));
