/** Returns the path of a URL as it was sent. `URL` decodes leniently and would hide malformed escapes. */
export function rawPathOf(url: string): string {
  const start = url.indexOf('/', url.indexOf('://') + 3);
  const end = url.slice(start).search(/[?#]/);
  return end === -1 ? url.slice(start) : url.slice(start, start + end);
}

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
  if (/^(\/[\w.~-]+)*$/.test(basePath)) return basePath;
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
