import type { MediaKind } from '@memory-read/contract';
import { type ErrorContext, MemoryApiError, nameErrors } from './memory-api-error.ts';

/** What a {@link MediaUnavailableError} carries. */
export interface MediaUnavailableErrorInit extends ErrorContext {
  readonly memoryId: string;
  readonly kind: MediaKind;
}

/** The memory has no such media: its URL is null. See section 2.1 of the specification. */
export class MediaUnavailableError extends MemoryApiError<MediaUnavailableErrorInit> {
  static {
    nameErrors(this, 'MediaUnavailableError');
  }

  readonly code = 'media_unavailable';
  /** The memory; redacted where its id holds a key or the query of a URL. */
  declare readonly memoryId: string;
  /** What it does not have. */
  declare readonly kind: MediaKind;
}
