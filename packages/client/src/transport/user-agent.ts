import manifest from '../../package.json' with { type: 'json' };
import { isBrowser } from '../configuration/browser-guard.ts';

/** Returns the header that names this package; none in a browser, where it would cause a preflight request. */
export function userAgent(): Record<string, string> {
  return isBrowser() ? {} : { 'user-agent': `memory-read-client/${manifest.version}` };
}
