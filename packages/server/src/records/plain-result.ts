import { InvalidMemoryRecordError } from './invalid-memory-record-error.ts';
import { structuredFields } from './record-fields.ts';

/**
 * The same with objects and lists, such as the transcript, as their JSON has them: what is checked has to be what is
 * stored, whatever getters and `toJSON` methods the values have.
 *
 * @throws InvalidMemoryRecordError when one of them cannot be written as JSON.
 */
export function withPlainResult<Result extends { id: unknown }>(result: Result): Result {
  // The schema tells what is no record at all.
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
    // Told below: a bigint, or an object that holds itself.
  }
  if (json !== undefined) return JSON.parse(json);
  throw new InvalidMemoryRecordError(memoryId, [{ path, message: 'cannot be written as JSON' }]);
}
