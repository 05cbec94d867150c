import { type OperationId, operations } from '@memory-read/contract/operations';

/** The operation of a URL. `null` if its path belongs to none. */
export interface Route {
  readonly operation: OperationId | null;
  /** The parameter of the path, as it was sent: URL parsers decode leniently. Empty if the path has none. */
  readonly segment: string;
}

/** Returns a function that finds the operation of a URL. A segment `.` or `..`, also percent-encoded, names no memory. */
export function createRoutes(basePath: string): (url: string) => Route {
  const routes = Object.values(operations).map(({ id, path }) => {
    const pattern = (basePath + path).replaceAll('.', '\\.').replace(/\{\w+\}/g, parameter);
    return { operation: id, pattern: new RegExp(`^[^/]+//[^/]*${pattern}(?:[?#]|$)`) };
  });
  return (url) => {
    for (const { operation, pattern } of routes) {
      const match = pattern.exec(url);
      if (match !== null) return { operation, segment: match[1] ?? '' };
    }
    return nowhere;
  };
}

const parameter = '((?!(?:\\.|%2[eE]){1,2}(?:[?#]|$))[^/?#]+)';
const nowhere: Route = { operation: null, segment: '' };

/**
 * Returns whether a target has a segment `.` or `..`, also with percent-encoded dots.
 *
 * Such a target names no route. A front that does not resolve it would have checked another path than the one served.
 */
export function hasDotSegment(target: string): boolean {
  return /^[^?#]*\/(?:\.|%2e){1,2}(?:[/?#]|$)/i.test(target);
}

/** Returns the path under which a handler is mounted, after checking it. */
export function checkedBasePath(basePath: string): string {
  if (/^(\/[\w.~-]+)*$/.test(basePath) && !hasDotSegment(basePath)) return basePath;
  throw new TypeError(
    `Failed to mount at ${JSON.stringify(basePath)}: it is not a plain path. Pass a basePath like "/api", without a trailing slash.`,
  );
}

/** Returns the memory id in a path segment. A malformed id is `undefined`, which leads to a 422 (section 4.2). */
export function decodeMemoryId(segment: string): string | undefined {
  let id: string;
  try {
    id = decodeURIComponent(segment);
  } catch {
    return undefined;
  }
  const isTooLong = id.length > maximumCodePoints && Array.from(id).length > maximumCodePoints;
  return isTooLong || /\p{Cc}/u.test(id) ? undefined : id;
}

const maximumCodePoints = 256;
