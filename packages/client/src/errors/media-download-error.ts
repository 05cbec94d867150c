import { type ErrorContext, MemoryApiError, nameErrors } from './memory-api-error.ts';

/**
 * Why a download failed: the storage refused, or five attempts in a row brought nothing; the object is another one by
 * now, or could not be proven to be the same; the answer cannot be used; the object is larger than `maxBytes`.
 */
export type MediaDownloadFailure = 'refused' | 'interrupted' | 'changed' | 'not_resumable' | 'invalid' | 'too_large';

/** What a {@link MediaDownloadError} carries. */
export interface MediaDownloadErrorInit extends ErrorContext {
  readonly reason: MediaDownloadFailure;
  readonly bytesReceived: number;
  readonly status?: number | undefined;
}

/** The media could not be downloaded whole. What was delivered until then is the beginning of one and the same object. */
export class MediaDownloadError extends MemoryApiError<MediaDownloadErrorInit> {
  static {
    nameErrors(this, 'MediaDownloadError');
  }

  readonly code = 'media_download';
  /** Why; new reasons may come in a minor version. */
  declare readonly reason: MediaDownloadFailure;
  /** Bytes of the object that were delivered, those before `start` included: where another download may start. */
  declare readonly bytesReceived: number;
  /** HTTP status of the storage's last answer, if it gave one. */
  declare readonly status: number | undefined;
}
