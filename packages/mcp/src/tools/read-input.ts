import { parseDateTime } from '@memory-read/contract/date-time';
import { ToolError } from '../output/tool-error.ts';

/** Reads the arguments of one tool call. Every problem is an error with a message for the model. */
export interface Input {
  text(name: string, limit: number): string | undefined;
  requiredText(name: string, limit: number): string;
  count(name: string, range: { min: number; max: number }): number | undefined;
  object(name: string): Record<string, unknown> | undefined;
  since(): number;
  until(): number;
  cursor(): string | undefined;
}

const LONGEST_CURSOR = 8_000;
const DAY = 86_400_000;

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
  const instant = (name: string): { at: number; isDay: boolean } | undefined => {
    const value = text(name, 40);
    if (value === undefined) return undefined;
    const isDay = /^\d{4}-\d\d-\d\d$/.test(value);
    const at = parseDateTime(isDay ? `${value}T00:00Z` : value);
    return at === undefined
      ? fail(`${name} is not a date`, 'Use a date such as 2026-03-01, or an ISO 8601 date-time')
      : { at, isDay };
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
    since: () => instant('since')?.at ?? Number.NEGATIVE_INFINITY,
    until: () => {
      const end = instant('until');
      return end === undefined ? Number.POSITIVE_INFINITY : end.at + (end.isDay ? DAY : 0);
    },
    cursor: () => text('cursor', LONGEST_CURSOR),
  };
}
