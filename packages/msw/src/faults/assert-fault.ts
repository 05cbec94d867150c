import { longestTimer } from '@memory-read/contract/event-loop';
import { alternatives, formatValue } from '../checks/format-value.ts';
import type { ServerFault, StopFault } from '../server/faults/wire-fault.ts';
import type { StatusFault } from './fault.ts';

/** What a fault is checked against. */
export interface FaultScope {
  /** What the fault affects. */
  target: 'api' | 'media' | 'connection';
  /** The option that says so. */
  option: 'match.operation' | 'match.media';
  /** Whether the mock is a server. Only a server can play all faults. */
  isServer: boolean;
}

/**
 * Checks a fault, which can come from JSON.
 *
 * @throws a {@link TypeError} if it is not a fault or cannot be sent.
 */
export function assertFault(fault: unknown, scope: FaultScope): void {
  const name = nameOf(fault, scope);
  const kind = kindNamed(name);
  assertTarget(isObject(fault) ? `{ ${name} }` : `'${name}'`, kind, scope);
  if (!isObject(fault)) return;
  assertFields(fault, kind.fields ?? {}, [name, 'by']);
  const { respond, steps, stop } = fault;
  if (scope.target === 'connection' && stop !== undefined && stop !== 'before-head')
    throw faultError('a new connection has no response', connectionAdvice);
  if (isObject(respond)) assertFields(respond, respondFields, [], 'respond.');
  for (const { isBroken, problem, advice } of conditions) if (isBroken(fault)) throw faultError(problem, advice);
  const index = Array.isArray(steps) ? steps.findIndex((step) => !isStep(step)) : -1;
  if (index < 0) return;
  const step = shownValue((steps as unknown[])[index]);
  throw faultError(`step ${index + 1} is ${step}, which is not supported`, stepAdvice);
}

type Fields = Readonly<Record<string, unknown>>;
type FieldRules = Readonly<Record<string, FieldRule>>;

interface FieldRule {
  isValid: (value: unknown) => boolean;
  problem: string;
  advice: string;
}

interface FaultKind {
  /** What the fault affects. Default: the API and media. */
  needs?: 'api' | 'media';
  isOfServer?: true;
  /** Whether it can affect a connection before a byte of it is read. */
  canBeFirst?: true;
  /** Fields of a fault that is an object. */
  fields?: FieldRules;
}

const names = {
  'network-error': {},
  'truncated-json': { needs: 'api' },
  'wrong-content-type': {},
  'contract-violation': { needs: 'api' },
  cut: {},
  'no-ranges': { needs: 'media' },
  stall: {},
  garbage: { isOfServer: true },
  'changed-object': { needs: 'media', isOfServer: true },
  'foreign-range': { needs: 'media', isOfServer: true },
  'wrong-range': { needs: 'media', isOfServer: true },
} satisfies Record<Extract<ServerFault, string>, FaultKind>;

const text: FieldRule = {
  isValid: (value) => typeof value === 'string',
  problem: 'not a string',
  advice: 'Pass a string',
};
const object: FieldRule = { isValid: isObject, problem: 'not an object', advice: 'Pass an object' };
const headers: FieldRule = {
  isValid: (value) => isObject(value) && Object.entries(value).every(isHeader),
  problem: 'not an object of headers',
  advice: 'Pass a text for each name, and neither the length nor the encoding of the transfer',
};

/** The objects, by the field that names the kind. */
const objects = {
  status: {
    fields: {
      status: integer([400, 599], 'Pass the status of an error'),
      detail: text,
      retryAfter: {
        isValid: (value: unknown) => isIntegerIn(value, 0, 1e12) && Number(value) % 1000 === 0,
        problem: 'not a multiple of 1,000 from 0 to 1,000,000,000,000',
        advice: 'Pass milliseconds, in whole seconds',
      },
      retryAfterSeconds: integer([0, 1e9], 'Pass seconds'),
      retryAfterStyle: oneOf(['seconds', 'date'] satisfies StatusFault['retryAfterStyle'][]),
      headers,
      style: oneOf(['json', 'text', 'html', 'xml', 'fastapi'] satisfies StatusFault['style'][]),
    },
  },
  delay: {
    fields: {
      delay: { isValid: isTime, problem: 'not a number from 0 to 2,147,483,647', advice: 'Pass milliseconds' },
    },
  },
  stop: {
    isOfServer: true,
    canBeFirst: true,
    fields: {
      stop: {
        isValid: isPlace,
        problem: 'not supported',
        advice: "Use 'before-head', 'in-head', 'after-head', { bytes }, or { share } from 0 to 1",
      },
      by: oneOf(['reset', 'end', 'stall'] satisfies StopFault['by'][]),
      framing: oneOf(['length', 'chunked', 'close', 'exact'] satisfies StopFault['framing'][]),
    },
  },
  bytesPerSecond: { isOfServer: true, fields: { bytesPerSecond: integer([1, 1e9], 'Pass bytes for each second') } },
  redirect: {
    isOfServer: true,
    fields: {
      redirect: oneOf([301, 302, 303, 307, 308]),
      to: {
        isValid: (value: unknown) => value !== '' && isHeader(['location', value]),
        problem: 'not an address',
        advice: "Use 'elsewhere', 'self' or a URL",
      },
    },
  },
  respond: { isOfServer: true, fields: { respond: object } },
  fields: { isOfServer: true, needs: 'api', fields: { fields: object } },
  steps: {
    isOfServer: true,
    canBeFirst: true,
    fields: { steps: { isValid: Array.isArray, problem: 'not an array', advice: 'Pass an array of steps' } },
  },
} satisfies Record<ObjectName<Exclude<ServerFault, string>>, FaultKind>;

/** Names of faults, and the fields of each fault that is an object. The first field names its kind. */
export const faultShapes = {
  names: Object.keys(names),
  objects: Object.values(objects).map(({ fields }) => Object.keys(fields)),
};

/** The name of the required field. */
type ObjectName<Kind> = Kind extends unknown
  ? { [Name in keyof Kind]-?: undefined extends Kind[Name] ? never : Name extends 'by' ? never : Name }[keyof Kind]
  : never;

const respondFields: FieldRules = {
  status: integer([200, 599], 'Pass the status of a response'),
  headers,
  body: text,
};

/** What fields must not be together. */
const conditions: { isBroken: (fault: Fields) => boolean; problem: string; advice: string }[] = [
  {
    isBroken: ({ retryAfter, retryAfterSeconds }) => retryAfter !== undefined && retryAfterSeconds !== undefined,
    problem: 'the fault has both retryAfter and retryAfterSeconds',
    advice: 'Pass retryAfter, in milliseconds',
  },
  {
    isBroken: ({ retryAfterStyle, retryAfter, retryAfterSeconds }) =>
      retryAfterStyle !== undefined && (retryAfter ?? retryAfterSeconds) === undefined,
    problem: 'retryAfterStyle needs retryAfter',
    advice: 'Pass retryAfter, in milliseconds',
  },
  {
    isBroken: ({ framing, by }) => framing === 'exact' && by !== 'end',
    problem: "framing 'exact' needs by 'end'",
    advice: "Pass by: 'end'",
  },
  {
    isBroken({ respond }) {
      const { status, body = '' } = isObject(respond) ? respond : {};
      return body !== '' && hasNoBody(status);
    },
    problem: 'a response with the status 204, 205 or 304 has no body',
    advice: 'Remove respond.body, or pass another status',
  },
];

/** The steps that are objects. */
const stepRules: Record<string, (value: unknown) => boolean>[] = [
  { wait: isTime },
  { drip: isSomeText, every: isTime },
  { flood: isSomeText },
  { gzip: isSomeText, times: (value) => isIntegerIn(value, 1, 1e6) },
];
const stepAdvice =
  "Use a text of characters up to U+00FF, 'stall', 'end', 'reset', { wait }, { drip, every }, { flood } or { gzip, times }";

const connectionAdvice = "Use { steps }, or { stop: 'before-head' }";

/** Returns the name of the fault's kind. */
function nameOf(fault: unknown, scope: FaultScope): string {
  const offered = (kinds: Readonly<Record<string, FaultKind>>) =>
    Object.keys(kinds).filter((name) => scope.isServer || !kinds[name]?.isOfServer);
  const shapes = [...offered(objects).map((name) => `{ ${name} }`), ...offered(names).map((name) => `'${name}'`)];
  const advice = `Use ${alternatives(shapes)}`;
  if (typeof fault === 'string' && Object.hasOwn(names, fault)) return fault;
  if (fault === undefined) throw faultError('the fault is missing', advice);
  if (!isObject(fault)) throw faultError(`the fault is ${shownValue(fault)}, which is not supported`, advice);
  const given = Object.keys(fault);
  const unknown = given.find((name) => !Object.values(objects).some(({ fields }) => Object.hasOwn(fields, name)));
  if (unknown !== undefined)
    throw faultError(`the field ${JSON.stringify(unknown)} of the fault is not supported`, advice);
  const [name, second] = Object.keys(objects).filter((kind) => given.includes(kind));
  if (name === undefined) throw faultError(`the fault has neither ${offered(objects).join(' nor ')}`, advice);
  const foreign = given.find((field) => !Object.hasOwn(kindNamed(name).fields ?? {}, field));
  const [one, other] = second === undefined ? [foreign, name] : [name, second];
  if (one !== undefined) throw faultError(`the fault has both ${one} and ${other}`, 'Pass one of them');
  return name;
}

function kindNamed(name: string): FaultKind {
  return ({ ...names, ...objects } as Record<string, FaultKind>)[name] as FaultKind;
}

function assertTarget(label: string, { needs, isOfServer, canBeFirst }: FaultKind, scope: FaultScope): void {
  const { target, option, isServer } = scope;
  if (isOfServer && !isServer)
    throw faultError(`${label} needs a mock server`, 'Use startMockServer of @memory-read/msw/server');
  if (target === 'media' && needs === 'api')
    throw faultError(`${label} needs a response of the API, and ${option} excludes these`, "Use 'cut' or a status");
  if (target === 'connection' && !canBeFirst)
    throw faultError(`${label} needs a request, and a new connection has none`, connectionAdvice);
  if (target === 'api' && needs === 'media') {
    const advice = isServer ? "Pass match.operation: 'media'" : "Pass match.media, such as 'audio'";
    throw faultError(`${label} needs a request for media`, advice);
  }
}

function assertFields(values: Fields, rules: FieldRules, required: readonly string[], path = ''): void {
  const unknown = Object.keys(values).find((name) => !Object.hasOwn(rules, name));
  if (unknown !== undefined)
    throw faultError(
      `the field ${JSON.stringify(path + unknown)} of the fault is not supported`,
      `Use ${alternatives(Object.keys(rules))}`,
    );
  for (const [name, { isValid, problem, advice }] of Object.entries(rules)) {
    const value = values[name];
    if ((value !== undefined || required.includes(name)) && !isValid(value))
      throw faultError(`${path}${name} is ${shownValue(value)}, which is ${problem}`, advice);
  }
}

function integer([first, last]: [number, number], advice: string): FieldRule {
  const [from, to] = [first, last].map((limit) => limit.toLocaleString('en-US'));
  return {
    isValid: (value) => isIntegerIn(value, first, last),
    problem: `not a whole number from ${from} to ${to}`,
    advice,
  };
}

function oneOf(values: readonly unknown[]): FieldRule {
  const shown = values.map((value) => (typeof value === 'string' ? `'${value}'` : String(value)));
  return { isValid: (value) => values.includes(value), problem: 'not supported', advice: `Use ${alternatives(shown)}` };
}

function isIntegerIn(value: unknown, first: number, last: number): boolean {
  return Number.isInteger(value) && Number(value) >= first && Number(value) <= last;
}

/** A longer time would overflow the timers of the runtime. */
function isTime(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && value <= longestTimer;
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isPlace(value: unknown): boolean {
  if (!isObject(value)) return ['before-head', 'in-head', 'after-head'].includes(value as string);
  const { bytes, share, ...others } = value;
  if (Object.keys(others).length > 0 || (bytes === undefined) === (share === undefined)) return false;
  if (bytes !== undefined) return isIntegerIn(bytes, 0, Number.MAX_SAFE_INTEGER);
  return typeof share === 'number' && share >= 0 && share <= 1;
}

function isStep(value: unknown): boolean {
  if (value === '' || isSomeText(value)) return true;
  return (
    isObject(value) &&
    stepRules.some((rules) => {
      const given = Object.keys(value);
      return given.length === Object.keys(rules).length && given.every((name) => rules[name]?.(value[name]));
    })
  );
}

/** Each character is sent as one byte. */
function isSomeText(value: unknown): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a step sends every byte.
  return typeof value === 'string' && /^[\x00-\xff]+$/.test(value);
}

/** Returns whether a header can be sent. The server itself announces the length and the encoding of a transfer. */
function isHeader([name, value]: [string, unknown]): boolean {
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || /^(?:content-length|transfer-encoding)$/i.test(name)) return false;
  return typeof value === 'string' && /^[\t -~\x80-\xff]*$/.test(value);
}

/** Returns whether no response with the status can have a body. */
export function hasNoBody(status: unknown): boolean {
  return status === 204 || status === 205 || status === 304;
}

/** Formats a value for a message, shortened because steps and bodies can be long. */
function shownValue(value: unknown): string {
  const shown = formatValue(value);
  return shown.length > LONGEST_SHOWN ? `${shown.slice(0, LONGEST_SHOWN)}…` : shown;
}

const LONGEST_SHOWN = 80;

/** Creates the error for a fault or a match that cannot be used. */
export function faultError(problem: string, advice: string): TypeError {
  return new TypeError(`Failed to schedule a fault: ${problem}. ${advice}.`);
}
