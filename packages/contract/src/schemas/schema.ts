import type { StandardSchemaV1 } from '@standard-schema/spec';
import type * as z from 'zod/mini';

/** A {@link StandardSchemaV1} that validates synchronously. */
export interface Schema<Value> extends StandardSchemaV1<unknown, Value> {
  readonly '~standard': Omit<StandardSchemaV1.Props<unknown, Value>, 'validate'> & {
    readonly validate: (value: unknown) => StandardSchemaV1.Result<Value>;
  };
}

/**
 * Returns a schema that hides zod.
 *
 * zod/mini has no messages unless a locale is set for the whole process, which a library must not do.
 */
export function toSchema<Value>(shape: z.ZodMiniType): Schema<Value> {
  return {
    '~standard': {
      version: 1,
      vendor: 'memory-read',
      validate(value) {
        const result = shape.safeParse(value, { error: describeIssue });
        if (result.success) return { value: result.data as Value };
        return { issues: result.error.issues.map(({ message, path }) => ({ message, path })) };
      },
    },
  };
}

/** States the expected and the received type, but never the value, which can be a signed URL. */
function describeIssue(issue: z.core.$ZodRawIssue): string {
  if (issue.code === 'invalid_type')
    return `expected ${typeNames[issue.expected] ?? issue.expected}, received ${typeName(issue.input)}`;
  if (issue.code === 'invalid_format') return `expected ${formatNames[issue.format] ?? issue.format}`;
  if (issue.code === 'too_big' || issue.code === 'too_small') return 'expected an integer that a double holds exactly';
  return 'is not valid';
}

// Every number of the API is an integer, but zod expects `number` as long as the value is not a number.
const typeNames: Record<string, string> = { number: 'integer', int: 'integer' };

const formatNames: Record<string, string> = {
  datetime: 'an ISO 8601 date-time',
  uri: 'an absolute URI',
};

function typeName(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number' && !Number.isInteger(value)) return 'a number that is not an integer';
  return typeof value;
}
