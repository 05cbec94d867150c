import type { MediaKind } from '@memory-read/contract';
import { type OperationId, operations } from '@memory-read/contract/operations';

/** Operation or media of a request. */
export interface RequestTarget {
  /** Operation of the path, or `'media'`; null if a path of the API names no operation. */
  operation: OperationId | 'media' | null;
  /** Decoded id in the path, or id of the memory with the media; null without a memory. */
  memoryId: string | null;
  /** Kind of the media; null for the API, and if no memory has the media. */
  kind: MediaKind | null;
}

/** Returns the operation of the path below `basePath`, regardless of the method. */
export function requestTarget(pathname: string, basePath: string): RequestTarget {
  for (const { id, path } of Object.values(operations)) {
    const [prefix = '', suffix] = path.split('{memory_id}');
    const rest = pathname.startsWith(basePath + prefix) ? pathname.slice((basePath + prefix).length) : undefined;
    if (suffix === undefined && rest === '') return { operation: id, memoryId: null, kind: null };
    if (suffix !== undefined && rest && !rest.includes('/'))
      return { operation: id, memoryId: decodedPath(rest), kind: null };
  }
  return { operation: null, memoryId: null, kind: null };
}

/** A malformed path is returned as it was sent. */
export function decodedPath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
