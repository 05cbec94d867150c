import { isDateTime } from '@memory-read/contract/date-time';
import { addBroken, addDrift, type Findings } from './findings.ts';

/** Checks one value. */
export interface Inspector {
  /** Reports issues of a value, and sets absent nullable fields to null. */
  readonly inspect: (value: unknown, findings: Findings) => void;
  /** Whether an absent field counts as null. */
  readonly isNullable: boolean;
}

export const text: Inspector = scalar('string');

export const flag: Inspector = scalar('boolean');

export const dateTime: Inspector = formattedText('date_time_format', 'an ISO 8601 date-time', isDateTime);

export const uri: Inspector = formattedText('uri_format', 'a URI', (value) => /^[a-z][a-z\d+.-]*:\S+$/i.test(value));

export const integer: Inspector = present((value, findings) => {
  if (typeof value !== 'number') reportType(value, 'integer', findings);
  else if (!Number.isFinite(value)) addBroken(findings, 'wrong_type', 'expected integer, received infinity');
  else if (!Number.isSafeInteger(value)) addDrift(findings, 'fractional_number', 'expected an integer below 2^53');
});

export function nullable(inspector: Inspector): Inspector {
  return {
    isNullable: true,
    inspect(value, findings) {
      if (value !== null) inspector.inspect(value, findings);
    },
  };
}

export function arrayOf(item: Inspector): Inspector {
  return present((value, findings) => {
    if (!Array.isArray(value)) reportType(value, 'array', findings);
    else inspectItems(value, item, findings);
  });
}

/** Returns an inspector of objects with at least these fields. Unknown fields are allowed. */
export function objectOf(fields: Readonly<Record<string, Inspector>>): Inspector {
  const entries = Object.entries(fields);
  return present((value, findings) => {
    if (!isObject(value)) reportType(value, 'object', findings);
    else for (const [key, field] of entries) inspectField(value, key, field, findings);
  });
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the JSON name of a value's type. */
export function typeName(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** Returns an inspector that rejects null and absent values. */
function present(inspect: Inspector['inspect']): Inspector {
  return { inspect, isNullable: false };
}

function scalar(type: 'string' | 'boolean'): Inspector {
  return present((value, findings) => {
    if (typeof value !== type) reportType(value, type, findings);
  });
}

function inspectItems(array: readonly unknown[], item: Inspector, findings: Findings): void {
  for (let index = 0; index < array.length; index += 1) {
    findings.path.push(index);
    item.inspect(array[index], findings);
    findings.path.pop();
  }
}

function inspectField(object: Record<string, unknown>, key: string, field: Inspector, findings: Findings): void {
  const value = object[key];
  findings.path.push(key);
  if (value !== undefined) field.inspect(value, findings);
  else if (field.isNullable) fillIn(object, key, findings);
  else addBroken(findings, 'missing_field', 'expected a value, received nothing');
  findings.path.pop();
}

function fillIn(object: Record<string, unknown>, key: string, findings: Findings): void {
  object[key] = null;
  addDrift(findings, 'missing_nullable', 'expected a value or null, received nothing');
}

function formattedText(
  kind: 'date_time_format' | 'uri_format',
  expected: string,
  matches: (value: string) => boolean,
): Inspector {
  return present((value, findings) => {
    if (typeof value !== 'string') reportType(value, 'string', findings);
    else if (!matches(value)) addDrift(findings, kind, `expected ${expected}`);
  });
}

function reportType(value: unknown, expected: string, findings: Findings): void {
  addBroken(findings, 'wrong_type', `expected ${expected}, received ${typeName(value)}`);
}
