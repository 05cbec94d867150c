import { isDateTime } from '@memory-read/contract/date-time';
import { addBroken, addDrift, type Findings } from './findings.ts';

/** Reports issues of a value, and sets absent nullable fields to null. */
export type Inspector<Value = unknown> = (value: Value, findings: Findings) => void;

/** A field of an object. If it is absent and nullable, it counts as null. */
export interface InspectedField {
  readonly inspect: Inspector;
  readonly nullable?: boolean | undefined;
}

export const text = typed('string');

export const flag = typed('boolean');

export const dateTime = typed('string', (value: string, findings) => {
  if (!isDateTime(value)) addDrift(findings, 'date_time_format', 'expected an ISO 8601 date-time');
});

export const uri = typed('string', (value: string, findings) => {
  // Two expressions take less time than one that matches the whole text.
  if (!/^[a-z][a-z\d+.-]*:./i.test(value) || /\s/.test(value)) addDrift(findings, 'uri_format', 'expected a URI');
});

export const integer = typed(
  'number',
  (value: number, findings) => {
    if (!Number.isFinite(value)) addBroken(findings, 'wrong_type', 'expected integer, received infinity');
    else if (!Number.isSafeInteger(value)) addDrift(findings, 'fractional_number', 'expected an integer below 2^53');
  },
  'integer',
);

export function arrayOf(inspect: Inspector): Inspector {
  return typed('array', (array: readonly unknown[], findings) => {
    for (let index = 0; index < array.length; index += 1) {
      if (inspect === text && typeof array[index] === 'string') continue;
      findings.path.push(index);
      inspect(array[index], findings);
      findings.path.pop();
    }
  });
}

/** Returns an inspector of objects with at least these fields. Unknown fields are allowed. */
export function objectOf(fields: Readonly<Record<string, InspectedField>>): Inspector {
  const entries = Object.entries(fields);
  return typed('object', (object: Record<string, unknown>, findings) => {
    for (const [key, { inspect, nullable }] of entries) {
      const value = object[key];
      // Without a call and a path for each text, a list takes less time.
      if ((inspect === text && typeof value === 'string') || (value === null && nullable)) continue;
      findings.path.push(key);
      if (value !== undefined) inspect(value, findings);
      else if (nullable) {
        object[key] = null;
        addDrift(findings, 'missing_nullable', 'expected a value or null, received nothing');
      } else addBroken(findings, 'missing_field', 'expected a value, received nothing');
      findings.path.pop();
    }
  });
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeName(value) === 'object';
}

/** Returns the JSON name of a value's type. */
export function typeName(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** Returns an inspector of values of one type. */
function typed<Value>(type: string, inspect?: Inspector<Value>, expected = type): Inspector {
  return (value, findings) => {
    const isList = Array.isArray(value);
    const isType = type === 'array' ? isList : typeof value === type && value !== null && !isList;
    if (isType) inspect?.(value as Value, findings);
    else addBroken(findings, 'wrong_type', `expected ${expected}, received ${typeName(value)}`);
  };
}
