import { type OperationId, operations } from '@memory-read/contract/operations';

/** What a request asks for. */
export interface RequestTarget {
  /** `null` where the path names no operation. */
  operation: OperationId | null;
  /** Decoded; `null` where the path names no memory. */
  memoryId: string | null;
}

/** Finds the row of the operation table that the path below `basePath` names, whatever the method. */
export function requestTarget(pathname: string, basePath: string): RequestTarget {
  for (const { id, path } of Object.values(operations)) {
    const [prefix = '', suffix] = path.split('{memory_id}');
    const rest = pathname.startsWith(basePath + prefix) ? pathname.slice((basePath + prefix).length) : undefined;
    if (suffix === undefined && rest === '') return { operation: id, memoryId: null };
    if (suffix !== undefined && rest && !rest.includes('/')) return { operation: id, memoryId: decoded(rest) };
  }
  return { operation: null, memoryId: null };
}

/** A malformed id stays as it was sent. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
