import { isAllowedHost } from '@memory-read/contract/base-url';
import { ControlError } from './control-error.ts';

/**
 * Refuses what a page of a browser can send. The control API has no key, so a page of another site must not reach it,
 * not even one whose name resolves to this machine.
 *
 * @throws ControlError with the status 403.
 */
export function guardRequest({ headers }: Request, hosts: readonly string[]): void {
  if (!isAllowedHost(headers.get('host'), hosts)) {
    throw refusal('its Host names another machine', 'Use localhost, or start the server with this name as public host');
  }
  if (headers.has('origin')) {
    throw refusal('a page sent it', 'Send it from a program, without the header Origin');
  }
  if ((headers.get('sec-fetch-site') ?? 'none') !== 'none') {
    throw refusal('a page sent it', 'Send it from a program, without the header Sec-Fetch-Site');
  }
}

function refusal(problem: string, advice: string): ControlError {
  return new ControlError(403, `Failed to accept the request: ${problem}. ${advice}.`);
}
