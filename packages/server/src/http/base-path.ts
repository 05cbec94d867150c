/** Returns the path under which a handler is mounted, after checking it. */
export function checkedBasePath(basePath: string): string {
  if (/^(\/[\w.~-]+)*$/.test(basePath)) return basePath;
  throw new TypeError(
    `Failed to mount at ${JSON.stringify(basePath)}: it is not a plain path. Pass a basePath like "/api", without a trailing slash.`,
  );
}
