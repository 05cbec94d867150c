import manifest from '../../package.json' with { type: 'json' };
import { isBrowser } from '../configuration/browser-guard.ts';

/** The header that names this package; none in a browser, where it would take a preflight. */
export function userAgent(): Record<string, string> {
  return isBrowser() ? {} : { 'user-agent': `memory-read-client/${manifest.version}` };
}
