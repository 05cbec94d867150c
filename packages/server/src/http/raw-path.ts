/** Returns the path as it was sent. `URL` and routers decode leniently and would hide malformed escapes. */
export function rawPathOf(request: Request): string {
  const { url } = request;
  const start = url.indexOf('/', url.indexOf('://') + 3);
  const end = url.slice(start).search(/[?#]/);
  return end === -1 ? url.slice(start) : url.slice(start, start + end);
}
