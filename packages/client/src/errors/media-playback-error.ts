import { type ErrorContext, MemoryApiError, nameErrors } from './memory-api-error.ts';

/** Reason why a recording cannot be played. */
export type MediaPlaybackFailure = 'refused' | 'damaged' | 'invalid';

/** Fields of a {@link MediaPlaybackError}. */
export interface MediaPlaybackErrorInit extends ErrorContext {
  readonly reason: MediaPlaybackFailure;
}

/**
 * Describes why a media element cannot play a recording. `keepPlaying` of `@memory-read/client/playback` reports it; no
 * method throws it.
 */
export class MediaPlaybackError extends MemoryApiError<MediaPlaybackErrorInit> {
  static {
    nameErrors(this, 'MediaPlaybackError');
  }

  readonly code = 'media_playback';
  /**
   * - `refused`: a fresh URL failed too.
   * - `damaged`: the browser cannot decode the recording.
   * - `invalid`: the URL is neither `http:`, `https:` nor `blob:`.
   */
  declare readonly reason: MediaPlaybackFailure;
}
