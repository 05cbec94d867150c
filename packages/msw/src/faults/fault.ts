import { formatValue } from '../checks/format-value.ts';

/**
 * What goes wrong with a request.
 *
 * - `{ status }`: an error of the API, or of what stands before it.
 * - `'network-error'`: no answer; `fetch` rejects with a `TypeError`.
 * - `'truncated-json'`: the first half of the answer's body.
 * - `'wrong-content-type'`: the answer labelled `text/html`.
 * - `'contract-violation'`: the answer with a field gone and one of another type; an error without its `detail`.
 * - `'stall'`: no answer before the caller aborts or the mock is reset.
 * - `{ delay }`: the answer after so many milliseconds of the runtime's timers, not of the mock's clock.
 */
export type Fault =
  | StatusFault
  | { delay: number; status?: never }
  | 'network-error'
  | 'truncated-json'
  | 'wrong-content-type'
  | 'contract-violation'
  | 'stall';

/** An error status in the dialect of the API, of FastAPI, or of a gateway. See section 7 of the specification. */
export interface StatusFault {
  /** From 400 to 599. */
  status: number;
  /** The server's own text for the status by default. */
  detail?: string | undefined;
  /** Sent as `Retry-After`. */
  retryAfterSeconds?: number | undefined;
  /**
   * What the body is: `'json'` is `{"detail": "…"}`, the default; `'text'` and `'html'` come from a server that crashed
   * or a gateway; `'fastapi'` is what FastAPI itself sends: a list of issues for 422, text for 500, else JSON.
   */
  style?: 'json' | 'text' | 'html' | 'fastapi' | undefined;
  delay?: never;
}

/** @throws TypeError when it is no fault, or holds what cannot be sent. */
export function assertFault(fault: Fault): void {
  if (kinds.includes(fault)) return;
  if (typeof fault !== 'object' || fault === null) throw faultError(`${formatValue(fault)} is none`, kindAdvice);
  const unknown = Object.keys(fault).find((name) => !Object.hasOwn(fields, name));
  if (unknown !== undefined) throw faultError(`a fault has no ${unknown}`, kindAdvice);
  if ('delay' in fault && 'status' in fault) throw faultError('it has both status and delay', 'Pass one of them');
  if (!('delay' in fault || 'status' in fault)) throw faultError('it has neither status nor delay', kindAdvice);
  for (const [name, value] of Object.entries(fault)) {
    const { isValid, advice } = fields[name as FieldName];
    const isLeftOut = value === undefined && name !== 'status' && name !== 'delay';
    if (!isLeftOut && !isValid(value)) throw faultError(`its ${name} is ${formatValue(value)}`, advice);
  }
}

const kinds: readonly unknown[] = [
  'network-error',
  'truncated-json',
  'wrong-content-type',
  'contract-violation',
  'stall',
] satisfies Fault[];
const styles: readonly unknown[] = ['json', 'text', 'html', 'fastapi'] satisfies StatusFault['style'][];
const LONGEST_TIMER_MS = 2 ** 31 - 1;
const kindAdvice = `Pass { status }, { delay }, ${kinds.map((kind) => `'${kind}'`).join(', ')}`;

type FieldName = keyof StatusFault;

const fields: Record<FieldName, { isValid: (value: unknown) => boolean; advice: string }> = {
  status: { isValid: (value) => isIntegerIn(value, 400, 599), advice: 'Pass a status from 400 to 599' },
  detail: { isValid: (value) => typeof value === 'string', advice: 'Pass a text' },
  retryAfterSeconds: { isValid: (value) => isIntegerIn(value, 0, 1e9), advice: 'Pass whole seconds' },
  style: { isValid: (value) => styles.includes(value), advice: `Pass one of ${styles.join(', ')}` },
  delay: {
    isValid: (value) => typeof value === 'number' && value >= 0 && value <= LONGEST_TIMER_MS,
    advice: `Pass milliseconds from 0 to ${LONGEST_TIMER_MS}`,
  },
};

function isIntegerIn(value: unknown, first: number, last: number): boolean {
  return Number.isInteger(value) && Number(value) >= first && Number(value) <= last;
}

function faultError(reason: string, advice: string): TypeError {
  return new TypeError(`Failed to schedule a fault: because ${reason}. ${advice}.`);
}
