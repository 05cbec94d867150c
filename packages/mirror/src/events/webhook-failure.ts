import { parseHttpDate, parsePause, systemClock } from '@memory-read/contract/date-time';
import { type DeliveryAction, DeliveryError } from './delivery-error.ts';

const actions: Readonly<Record<number, DeliveryAction>> = {
  408: 'unavailable',
  410: 'stop',
  425: 'unavailable',
  429: 'unavailable',
  502: 'unavailable',
  503: 'unavailable',
  504: 'unavailable',
};

/** Returns what a response other than 2xx means. */
export function refusal(origin: string, { status, headers }: Response): DeliveryError {
  const date = parseHttpDate(headers.get('date') ?? '') ?? systemClock.now();
  return new DeliveryError(`${origin} answered ${status}${meaning(status)}`, {
    action: actions[status],
    retryAfter: parsePause(headers.get('retry-after') ?? '', date),
  });
}

function meaning(status: number): string {
  if (status === 410) return ': it no longer exists';
  return status >= 300 && status < 400 ? ', a redirect, which is not followed' : '';
}

/**
 * Returns what a failed `fetch` means. The error of `fetch` is not the cause, because its message can have the whole URL.
 */
export function noResponse(origin: string, error: unknown): DeliveryError {
  const code = codeOf(error);
  const isUntrusted = /CERT|LEAF_SIGNATURE/.test(code ?? '');
  const problem = isUntrusted ? 'has a certificate that is not trusted' : 'cannot be reached';
  return new DeliveryError(`${origin} ${problem}${code === undefined ? '' : ` (${code})`}`, { action: 'unavailable' });
}

/** Returns the code of an error, of its first part, or of its cause. */
function codeOf(error: unknown, depth = 0): string | undefined {
  const { code, cause, errors } = Object(error) as { code?: unknown; cause?: unknown; errors?: unknown };
  if (typeof code === 'string' && /^[A-Z][A-Z\d_]{0,63}$/.test(code)) return code;
  if (depth === 4) return undefined;
  return codeOf(Array.isArray(errors) ? errors[0] : cause, depth + 1);
}
