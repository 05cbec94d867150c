/** Returns the path as it was sent. `URL` and routers decode leniently and would hide malformed escapes. */
export function rawPathOf(request: Request): string {
  const { url } = request;
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
