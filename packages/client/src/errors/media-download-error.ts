import { type ErrorContext, MemoryApiError, nameErrors } from './memory-api-error.ts';

/**
 * Reason for a failed download.
 *
 * - `refused`: the storage refused the request, or its certificate or a proxy prevents the connection.
 * - `interrupted`: five attempts in a row received no bytes.
 * - `changed`: the object has changed since the download began.
 * - `not_resumable`: the storage cannot prove that the object is still the same.
 * - `invalid`: the response of the storage is invalid.
 * - `too_large`: the object is larger than `maxBytes`.
 * - `forbidden_origin`: the media URL leads to an origin that `mediaOrigins` does not allow. No request was sent to it.
 */
export type MediaDownloadFailure =
  | 'refused'
  | 'interrupted'
  | 'changed'
  | 'not_resumable'
  | 'invalid'
  | 'too_large'
  | 'forbidden_origin';

/** Fields of a {@link MediaDownloadError}. */
export interface MediaDownloadErrorInit extends ErrorContext {
  readonly reason: MediaDownloadFailure;
  readonly bytesReceived: number;
  readonly status?: number | undefined;
  readonly faultCode?: string | undefined;
}

/** Thrown when the media cannot be downloaded completely. All bytes received until then belong to the same object. */
export class MediaDownloadError extends MemoryApiError<MediaDownloadErrorInit> {
  static {
    nameErrors(this, 'MediaDownloadError');
  }

  readonly code = 'media_download';
  /** Reason for the failure. A minor version can add reasons. */
  declare readonly reason: MediaDownloadFailure;
  /** Number of bytes received, including those before `start`. Another download can start there. */
  declare readonly bytesReceived: number;
  /** HTTP status of the storage's last response, if there was one. */
  declare readonly status: number | undefined;
  /** Code of the runtime, such as `ECONNRESET`, if the connection failed with one. */
  declare readonly faultCode?: string;
}
