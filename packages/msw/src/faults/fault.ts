import { alternatives, formatValue } from '../checks/format-value.ts';

/**
 * A failure of a request.
 *
 * - `{ status }`: an error of the API or of a gateway.
 * - `'network-error'`: no response; `fetch` rejects with a `TypeError`.
 * - `'truncated-json'`: the first half of the response body.
 * - `'wrong-content-type'`: the response with the media type `text/html`.
 * - `'contract-violation'`: a response with a missing field and a field of another type, or an error without `detail`.
 * - `'cut'`: the response, whose connection fails after half of the body. A response without a body is complete.
 * - `'no-ranges'`: the whole file, from a storage without byte ranges. It needs `match.media`.
 * - `'stall'`: no response until the caller aborts or the mock is reset.
 * - `{ delay }`: the response after this many milliseconds of the runtime's timers, not of the mock's clock.
 */
export type Fault =
  | StatusFault
  | { delay: number; status?: never }
  | 'network-error'
  | 'truncated-json'
  | 'wrong-content-type'
  | 'contract-violation'
  | 'cut'
  | 'no-ranges'
  | 'stall';

/** An error status in the format of the API, of FastAPI or of a gateway. See section 7 of the specification. */
export interface StatusFault {
  /** HTTP status from 400 to 599. */
  status: number;
  /** Text of the error. Default: the server's text for the status. */
  detail?: string | undefined;
  /** Value of `Retry-After`, in milliseconds, a multiple of 1,000. Default: no such header. */
  retryAfter?: number | undefined;
  /**
   * Value of `Retry-After`, in seconds.
   *
   * @deprecated Use `retryAfter`, in milliseconds. It will be removed in 1.0.
   */
  retryAfterSeconds?: number | undefined;
  /**
   * Format of the body. Default: `'json'`, which is `{"detail": "…"}`.
   *
   * - `'text'` and `'html'` are bodies of a crashed server or a gateway.
   * - `'xml'` is a body of S3 and of storages like it.
   * - `'fastapi'` is a list of issues for 422, text for 500, and JSON for all others.
   */
  style?: 'json' | 'text' | 'html' | 'xml' | 'fastapi' | undefined;
  delay?: never;
}

/**
 * Checks a fault for requests of the API or for media.
 *
 * @throws a {@link TypeError} if it is not a fault or cannot be sent.
 */
export function assertFault(fault: Fault, isForMedia: boolean): void {
  if (isForMedia && (fault === 'truncated-json' || fault === 'contract-violation'))
    throw faultError(`'${fault}' needs a response of the API, and match.media excludes these`, "Use 'cut' or a status");
  if (!isForMedia && fault === 'no-ranges')
    throw faultError("'no-ranges' needs a request for media", "Pass match.media, such as 'audio'");
  if (kinds.includes(fault)) return;
  if (typeof fault !== 'object' || fault === null) {
    throw faultError(`the fault is ${formatValue(fault)}, which is not supported`, kindAdvice);
  }
  const unknown = Object.keys(fault).find((name) => !Object.hasOwn(fields, name));
  if (unknown !== undefined)
    throw faultError(`the field ${JSON.stringify(unknown)} of the fault is not supported`, kindAdvice);
  const beside = 'delay' in fault ? Object.keys(fault).find((name) => name !== 'delay') : undefined;
  if (beside !== undefined) throw faultError(`the fault has both ${beside} and delay`, 'Pass one of them');
  if (givenOf(fault, 'retryAfter') && givenOf(fault, 'retryAfterSeconds'))
    throw faultError('the fault has both retryAfter and retryAfterSeconds', 'Pass retryAfter, in milliseconds');
  if (!('delay' in fault || 'status' in fault)) throw faultError('the fault has neither status nor delay', kindAdvice);
  for (const [name, value] of Object.entries(fault)) {
    const { isValid, problem, advice } = fields[name as FieldName];
    const isLeftOut = value === undefined && name !== 'status' && name !== 'delay';
    if (!isLeftOut && !isValid(value)) {
      throw faultError(`${name} is ${formatValue(value)}, which is ${problem}`, advice);
    }
  }
}

const kinds: readonly unknown[] = [
  'network-error',
  'truncated-json',
  'wrong-content-type',
  'contract-violation',
  'cut',
  'no-ranges',
  'stall',
] satisfies Fault[];
const styles: readonly unknown[] = ['json', 'text', 'html', 'xml', 'fastapi'] satisfies StatusFault['style'][];
const LONGEST_TIMER_MS = 2 ** 31 - 1;
const kindAdvice = `Use ${alternatives(['{ status }', '{ delay }', ...kinds.map((kind) => `'${kind}'`)])}`;

type FieldName = keyof StatusFault;

const fields: Record<FieldName, { isValid: (value: unknown) => boolean; problem: string; advice: string }> = {
  status: {
    isValid: (value) => isIntegerIn(value, 400, 599),
    problem: 'not a whole number from 400 to 599',
    advice: 'Pass the status of an error',
  },
  detail: { isValid: (value) => typeof value === 'string', problem: 'not a string', advice: 'Pass a string' },
  retryAfter: {
    isValid: (value) => isIntegerIn(value, 0, 1e12) && Number(value) % 1000 === 0,
    problem: 'not a multiple of 1,000 from 0 to 1,000,000,000,000',
    advice: 'Pass milliseconds, in whole seconds',
  },
  retryAfterSeconds: {
    isValid: (value) => isIntegerIn(value, 0, 1e9),
    problem: 'not a whole number from 0 to 1,000,000,000',
    advice: 'Pass seconds',
  },
  style: {
    isValid: (value) => styles.includes(value),
    problem: 'not supported',
    advice: `Use ${alternatives(styles.map((style) => `'${style}'`))}`,
  },
  delay: {
    isValid: (value) => typeof value === 'number' && value >= 0 && value <= LONGEST_TIMER_MS,
    problem: 'not a number from 0 to 2,147,483,647',
    advice: 'Pass milliseconds',
  },
};

function givenOf(fault: Exclude<Fault, string>, name: 'retryAfter' | 'retryAfterSeconds'): boolean {
  return 'status' in fault && (fault as StatusFault)[name] !== undefined;
}

function isIntegerIn(value: unknown, first: number, last: number): boolean {
  return Number.isInteger(value) && Number(value) >= first && Number(value) <= last;
}

/** Creates the error for a fault or a match that cannot be used. */
export function faultError(problem: string, advice: string): TypeError {
  return new TypeError(`Failed to schedule a fault: ${problem}. ${advice}.`);
}
