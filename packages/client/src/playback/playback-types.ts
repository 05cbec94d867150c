/** Returns the URL to play; null without such media. Read the memory again if `fresh` is true. */
export type PlayableSource = (request: {
  signal: AbortSignal;
  fresh: boolean;
}) => PlayableUrl | null | Promise<PlayableUrl | null>;

/** A URL to play, as `client.mediaUrl` returns it. */
export interface PlayableUrl {
  url: string;
  /** Time at which the URL expires, by the local clock. Default: the expiry in the URL. */
  expiresAt?: Date | undefined;
}

/** Options of {@link keepPlaying}. */
export interface KeepPlayingOptions {
  /** URL that you already have, so that the start sends no request. Default: the source is called. */
  readonly initial?: PlayableUrl | undefined;
  /**
   * Milliseconds before the expiry at which a playing URL is replaced, at most half of its lifetime. Default: 30,000.
   */
  readonly margin?: number | undefined;
  /** Milliseconds without data, while the recording does not play on, after which the URL is replaced. Default: 15,000. */
  readonly stallTimeout?: number | undefined;
  /** Stops as `stop()` does. Default: none. */
  readonly signal?: AbortSignal | undefined;
  /** Called for each event. Default: none. */
  onEvent?(event: PlaybackEvent): void;
}

/** A media element whose URL is replaced before it expires. */
export interface KeptPlayback {
  /**
   * - `loading`: the first URL is being read.
   * - `ready`: the element has a URL.
   * - `unavailable`: the source returned null.
   * - `failed`: the element cannot play; `error` has the reason.
   * - `stopped`: the element is no longer changed.
   */
  readonly status: 'loading' | 'ready' | 'unavailable' | 'failed' | 'stopped';
  /**
   * Last error of the source or of the element; undefined after a success. A source can reject with any value, so check it
   * with `isMemoryApiError`.
   */
  readonly error: unknown;
  /** Time at which the URL expires, by the local clock; undefined if unknown. */
  readonly expiresAt: Date | undefined;
  /** Whether the recording should play, even while it loads or after it has failed. */
  readonly isWanted: boolean;
  /** Plays, with a new URL if necessary. */
  play(): void;
  /** Pauses. */
  pause(): void;
  /** Reads the URL again and uses it. Never rejects: see `error`. */
  renew(): Promise<void>;
  /** Stops all changes of the element, which keeps its URL. You can call it more than once. */
  stop(): void;
}

/** Reason why the URL is read: the start, the expiry, a failure, no data, or a request. */
export type RenewReason = 'start' | 'expiring' | 'failed' | 'stalled' | 'requested';

/**
 * An event of a playback. No event contains a URL.
 *
 * `restarted`: a new load does not play on from `position`, in seconds, because the server sends no byte ranges or the
 * recording is now shorter.
 */
export type PlaybackEvent =
  | { type: 'renewing'; reason: RenewReason }
  | { type: 'renewed'; reason: RenewReason; expiresAt: Date | undefined }
  | { type: 'restarted'; position: number }
  | { type: 'unavailable' }
  | { type: 'failed'; error: unknown; isFinal: boolean }
  | { type: 'blocked' }
  | { type: 'stopped' };
