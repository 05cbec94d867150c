import { longestTimer } from '@memory-read/contract/event-loop';
import { isMediaOrigin } from '../media/media-origins.ts';
import { isPlainObject } from '../validation/is-plain-object.ts';
import { isObject, typeName } from '../validation/shape.ts';

/** Returns what is wrong with a value and what to do, for a message; undefined if the value is valid. */
export type OptionKind = (value: unknown) => readonly [problem: string, remedy: string] | undefined;

const durationExpected = 'a number from 1 to 2,147,483,647';
const isDuration = isNumberUpTo(longestTimer);

export const duration = kind(
  durationExpected,
  'Pass milliseconds, or false.',
  (value) => value === false || isDuration(value),
);

/** A duration that cannot be switched off. */
export const interval = kind(durationExpected, 'Pass milliseconds.', isDuration);

export const factor = /* @__PURE__ */ kind(
  'a number of at least 1',
  'Pass 1 or more.',
  /* @__PURE__ */ isNumberUpTo(Number.MAX_VALUE),
);

export const count = wholeNumber('of at least 0', 0, Number.MAX_SAFE_INTEGER);

/** The maximum is the longest text of V8. */
export const bodySize = wholeNumber('from 1 to 536,870,888', 1, 536_870_888);

export const flag = kind('a boolean', 'Pass true or false.', (value) => typeof value === 'boolean');

export const callback = kind(
  'a function',
  'Pass a function, or leave it out.',
  (value) => value === undefined || typeof value === 'function',
);

export const object = kind('an object', 'Pass an object.', isObject);

/** Options of a class or a `Map` would be ignored. */
export const plainObject = kind('a plain object', 'Pass an object literal, such as { signal }.', isPlainObject);

export const origins = kind(
  'a list of origins',
  "Pass ['https://media.example.com'], without a path.",
  (value) => Array.isArray(value) && value.every(isMediaOrigin),
);

/** A value that is checked where it is used. */
export const given = kind('supported', 'Pass a value, or leave it out.', (value) => value !== null);

/** Accepts the signal of another realm or of a polyfill too: it checks what the client uses, not the class. */
export const abortSignal = kind('an AbortSignal', 'Pass the signal of an AbortController.', (value) => {
  if (value === undefined) return true;
  const { aborted, addEventListener, removeEventListener } = Object(value) as Partial<AbortSignal>;
  const hasMethods = [addEventListener, removeEventListener].every((method) => typeof method === 'function');
  return hasMethods && typeof aborted === 'boolean' && 'reason' in (value as object);
});

export function oneOf(...choices: readonly string[]): OptionKind {
  const quoted = choices.map((choice) => `'${choice}'`);
  return (value) =>
    choices.includes(value as string)
      ? undefined
      : [
          `is ${typeof value === 'string' ? 'an unknown text' : describe(value)}, which is not supported`,
          `Use ${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}.`,
        ];
}

export function kind(expected: string, remedy: string, isValid: (value: unknown) => boolean): OptionKind {
  return (value) => (isValid(value) ? undefined : [`is ${describe(value)}, which is not ${expected}`, remedy]);
}

function wholeNumber(range: string, minimum: number, maximum: number): OptionKind {
  return kind(
    `a whole number ${range}`,
    `Pass a number ${range}.`,
    (value) => Number.isSafeInteger(value) && Number(value) >= minimum && Number(value) <= maximum,
  );
}

function isNumberUpTo(maximum: number): (value: unknown) => boolean {
  return (value) => typeof value === 'number' && value >= 1 && value <= maximum;
}

/** Describes a value without repeating a text: it may be a key in the wrong place. */
export function describe(value: unknown): string {
  if (value === null || ['number', 'boolean', 'undefined'].includes(typeof value)) return String(value);
  const type = typeName(value);
  return `${/^[ao]/.test(type) ? 'an' : 'a'} ${type}`;
}
