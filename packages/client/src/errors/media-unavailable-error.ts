import type { MediaKind } from '@memory-read/contract';
import { type ErrorContext, MemoryApiError, nameErrors } from './memory-api-error.ts';

/** Fields of a {@link MediaUnavailableError}. */
export interface MediaUnavailableErrorInit extends ErrorContext {
  readonly memoryId: string;
  readonly kind: MediaKind;
}

/**
 * Thrown when the memory has no such media: its URL is null. `request` and `responseHeaders` are those of the memory.
 *
 * See section 2.1 of the specification.
 */
export class MediaUnavailableError extends MemoryApiError<MediaUnavailableErrorInit> {
  static {
    nameErrors(this, 'MediaUnavailableError');
  }

  readonly code = 'media_unavailable';
  /** Id of the memory. Keys and queries of URLs in it are redacted. */
  declare readonly memoryId: string;
  /** Kind of the missing media. */
  declare readonly kind: MediaKind;
}
