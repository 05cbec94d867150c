import { describe } from './configuration/option-kinds.ts';
import { ConfigurationError } from './errors/errors.ts';

const MAXIMUM_CODE_POINTS = 1024;

/**
 * Returns a memory id as one segment of a path.
 *
 * @throws a {@link ConfigurationError} if no request can carry the id: `''`, `.` and `..`, text that is not well-formed
 *   Unicode, or more than 1,024 code points.
 */
export function encodeMemoryId(memoryId: string): string {
  const problem = findProblem(memoryId);
  if (problem !== undefined) {
    throw new ConfigurationError(`Failed to get a memory: the id ${problem}. Pass an id from the list of memories.`);
  }
  return encodeURIComponent(memoryId);
}

function findProblem(memoryId: unknown): string | undefined {
  if (typeof memoryId !== 'string') return `is ${describe(memoryId)}, which is not a string`;
  if (memoryId === '') return 'is empty';
  if (memoryId === '.' || memoryId === '..') return `is ${JSON.stringify(memoryId)}, which a URL cannot contain`;
  if (/\p{Surrogate}/u.test(memoryId)) return 'is not well-formed Unicode';
  const isLong = memoryId.length > MAXIMUM_CODE_POINTS;
  // A code point has one or two units. A long text is not split.
  if (isLong && (memoryId.length > 2 * MAXIMUM_CODE_POINTS || [...memoryId].length > MAXIMUM_CODE_POINTS))
    return `is longer than ${MAXIMUM_CODE_POINTS} code points`;
  return undefined;
}
