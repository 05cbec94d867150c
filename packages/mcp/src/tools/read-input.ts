import { readTimeRange } from '@memory-read/client/search';
import { findTimeZone } from '@memory-read/contract/date-time';
import { ToolError } from '../output/tool-error.ts';

/** A range of starts, in milliseconds since 1970, and the texts that it was read from. */
export interface RangeInput {
  since: number;
  until: number;
  /** Time zone of the texts, and of the starts in the response. */
  timeZone: string;
  texts: readonly (string | undefined)[];
}

/** Reads the arguments of one tool call. Every problem is an error with a message for the model. */
export interface Input {
  text(name: string, limit: number): string | undefined;
  requiredText(name: string, limit: number): string;
  count(name: string, range: { min: number; max: number }): number | undefined;
  object(name: string): Record<string, unknown> | undefined;
  range(defaults: { timeZone: string; clock: { now(): Date } }): RangeInput;
  cursor(): string | undefined;
}

const LONGEST_CURSOR = 8_000;
const LONGEST_TIME = 40;

/** Returns a reader of arguments, and rejects arguments that the tool does not support. */
export function readInput(tool: string, input: unknown, names: readonly string[]): Input {
  const fail = (what: string, todo: string): never => {
    throw new ToolError(`Failed to call ${tool}: ${what}. ${todo}.`);
  };
  const isObject = typeof input === 'object' && input !== null && !Array.isArray(input);
  const values = (isObject ? input : fail('the arguments are not an object', 'Pass an object')) as Record<
    string,
    unknown
  >;
  const strange = Object.keys(values).some((name) => !names.includes(name));
  if (strange) fail('it has an argument that is not supported', `Use ${names.join(', ')}`);

  const read = (name: string) => values[name] ?? undefined;
  const text: Input['text'] = (name, limit) => {
    const value = read(name);
    if (value === undefined) return undefined;
    if (typeof value !== 'string') return fail(`${name} is not a text`, `Pass ${name} as a text`);
    if (value.length > limit) return fail(`${name} is too long`, `Use at most ${limit} characters`);
    return value;
  };
  const limitOf = (name: 'since' | 'until', options: { timeZone: string; now: Date }) => {
    const value = text(name, LONGEST_TIME);
    try {
      return readTimeRange({ [name]: value }, options)[name];
    } catch {
      return fail(`${name} is not a time`, 'Use one such as 2026-03-01, yesterday, tuesday, or an ISO 8601 date-time');
    }
  };
  return {
    text,
    requiredText: (name, limit) => {
      const value = text(name, limit);
      return value === undefined || value === '' ? fail(`${name} is missing`, `Pass ${name}`) : value;
    },
    count: (name, { min, max }) => {
      const value = read(name);
      if (value === undefined) return undefined;
      const isCount = typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max;
      return isCount ? value : fail(`${name} is invalid`, `Use a whole number from ${min} to ${max}`);
    },
    object: (name) => {
      const value = read(name);
      if (value === undefined) return undefined;
      return typeof value === 'object' && !Array.isArray(value)
        ? (value as Record<string, unknown>)
        : fail(`${name} is not an object`, `Pass ${name} as an object`);
    },
    range: ({ clock, ...defaults }) => {
      const timeZone = text('time_zone', 60) ?? defaults.timeZone;
      if (findTimeZone(timeZone) === undefined) {
        fail('time_zone is not a time zone', 'Use a name of the IANA database, such as Europe/Berlin');
      }
      const options = { timeZone, now: clock.now() };
      const [since, until] = [limitOf('since', options), limitOf('until', options)];
      if (since >= until) fail('the range is empty', 'Pass a since that is before until');
      return { since, until, timeZone, texts: [text('since', LONGEST_TIME), text('until', LONGEST_TIME)] };
    },
    cursor: () => text('cursor', LONGEST_CURSOR),
  };
}
