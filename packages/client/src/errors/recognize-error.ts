/** @internal The symbol is global, so that a second copy of this package and other realms find the same one. */
export const brand: unique symbol = Symbol.for('@memory-read/client/MemoryApiError');

/** The name of the class of each code. */
export const classNames: Readonly<Record<string, string>> = {
  configuration: 'ConfigurationError',
  authentication: 'AuthenticationError',
  not_found: 'MemoryNotFoundError',
  invalid_request: 'InvalidRequestError',
  rate_limited: 'RateLimitError',
  server: 'ServerError',
  unexpected_response: 'UnexpectedResponseError',
  invalid_response: 'InvalidResponseError',
  connection: 'ConnectionError',
  timeout: 'RequestTimeoutError',
  processing_timeout: 'ProcessingTimeoutError',
  media_unavailable: 'MediaUnavailableError',
  media_download: 'MediaDownloadError',
  media_playback: 'MediaPlaybackError',
};

/** The errors import it, so it knows none of their classes. See `isMemoryApiError`. */
export function isErrorOfPackage(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  try {
    const error = value as Error & { readonly code?: string; readonly [brand]?: unknown };
    if (error[brand] === true) return true;
    const { name, code, message } = error;
    if (typeof message !== 'string') return false;
    return code === undefined ? restoreCode(error) : name !== undefined && classNames[code] === name;
  } catch {
    // Getters and proxies may throw anything.
    return false;
  }
}

/** Restores what V8 loses when it clones an error. The first line of the stack still names the class. */
function restoreCode(error: Error): boolean {
  const className = /^\w+/.exec(`${error.stack}`)?.[0];
  const code = Object.entries(classNames).find(([, name]) => name === className)?.[0];
  // A class of another package can have the same name. A clone has no class.
  if (code === undefined || error.constructor.name !== 'Error') return false;
  Object.defineProperty(error, 'name', { value: className, writable: true, configurable: true });
  Object.assign(error, { code });
  return true;
}
