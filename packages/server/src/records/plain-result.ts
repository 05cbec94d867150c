import { InvalidMemoryRecordError } from './invalid-memory-record-error.ts';
import { structuredFields } from './record-fields.ts';

/**
 * Returns the result with its objects and lists as plain JSON values.
 *
 * Getters and `toJSON` methods are read once, so that the checked value is the stored value.
 *
 * @throws {@link InvalidMemoryRecordError} if a value cannot be written as JSON.
 */
export function withPlainResult<Result extends { id: unknown }>(result: Result): Result {
  // A value that is not a record is rejected by the schema.
  if (typeof result !== 'object' || result === null || Array.isArray(result)) return result;
  const plain: Record<string, unknown> = { ...result };
  for (const name of structuredFields) if (name in plain) plain[name] = toPlain(name, plain[name], result.id);
  return plain as Result;
}

function toPlain(path: string, value: unknown, memoryId: unknown): unknown {
  if (value === undefined || value === null) return value;
  let json: string | undefined;
  try {
    json = JSON.stringify(value);
  } catch {
    // A bigint and a circular object are rejected below.
  }
  if (json !== undefined) return JSON.parse(json);
  throw new InvalidMemoryRecordError(memoryId, [{ path, message: 'cannot be written as JSON' }]);
}
