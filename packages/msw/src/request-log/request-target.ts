import { type OperationId, operations } from '@memory-read/contract/operations';

/** Operation and memory of a request. */
export interface RequestTarget {
  /** Operation of the path; null if it names no operation. */
  operation: OperationId | null;
  /** Decoded id in the path; null if it names no memory. */
  memoryId: string | null;
}

/** Returns the operation of the path below `basePath`, regardless of the method. */
export function requestTarget(pathname: string, basePath: string): RequestTarget {
  for (const { id, path } of Object.values(operations)) {
    const [prefix = '', suffix] = path.split('{memory_id}');
    const rest = pathname.startsWith(basePath + prefix) ? pathname.slice((basePath + prefix).length) : undefined;
    if (suffix === undefined && rest === '') return { operation: id, memoryId: null };
    if (suffix !== undefined && rest && !rest.includes('/')) return { operation: id, memoryId: decoded(rest) };
  }
  return { operation: null, memoryId: null };
}

/** A malformed id is returned as it was sent. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
