import { ConfigurationError } from './errors/configuration-error.ts';

const MAXIMUM_CODE_POINTS = 1024;

/**
 * A memory id as one segment of a path.
 *
 * @throws {ConfigurationError} where no request could carry it: `''`, `.` and `..` (which URL parsing removes), text
 * that is not well-formed Unicode, and more than 1,024 code points.
 */
export function encodeMemoryId(memoryId: string): string {
  const problem = findProblem(memoryId);
  if (problem !== undefined) {
    throw new ConfigurationError(
      `Failed to get a memory: because its id ${problem}. Pass an id as the list of memories returns it.`,
    );
  }
  return encodeURIComponent(memoryId);
}

function findProblem(memoryId: unknown): string | undefined {
  if (typeof memoryId !== 'string') return `is no string but of type ${typeof memoryId}`;
  if (memoryId === '') return 'is empty';
  if (memoryId === '.' || memoryId === '..') return `is ${JSON.stringify(memoryId)}, which a URL cannot carry`;
  if (/\p{Surrogate}/u.test(memoryId)) return 'is not well-formed Unicode';
  if (isTooLong(memoryId)) return `is longer than ${MAXIMUM_CODE_POINTS} code points`;
  return undefined;
}

function isTooLong(memoryId: string): boolean {
  if (memoryId.length <= MAXIMUM_CODE_POINTS) return false;
  return memoryId.length > 2 * MAXIMUM_CODE_POINTS || [...memoryId].length > MAXIMUM_CODE_POINTS;
}
