/** Returns the URL to play; null without such media. Read the memory again if `fresh` is true. */
export type PlayableSource = (request: {
  signal: AbortSignal;
  fresh: boolean;
}) => PlayableUrl | null | Promise<PlayableUrl | null>;

/** A URL to play, as `client.mediaUrl` returns it. */
export interface PlayableUrl {
  url: string;
  /** Time at which the URL expires, by the local clock. Default: the expiry that the URL states. */
  expiresAt?: Date | undefined;
}

/** Options of {@link keepPlaying}. */
export interface KeepPlayingOptions {
  /** URL that is known already, so that the start reads nothing. Default: the source is called. */
  readonly initial?: PlayableUrl | undefined;
  /** Milliseconds before the expiry at which a playing URL is replaced, at most half of its life. Default: 30,000. */
  readonly margin?: number | undefined;
  /** Milliseconds of waiting for data, without an error, after which the URL is replaced. Default: 15,000. */
  readonly stallTimeout?: number | undefined;
  /** Stops as `stop()` does. Default: none. */
  readonly signal?: AbortSignal | undefined;
  /** Called for each event. Default: none. */
  onEvent?(event: PlaybackEvent): void;
}

/** A media element whose URL is kept alive. */
export interface KeptPlayback {
  /**
   * - `loading`: the first URL is being read.
   * - `ready`: the element has a URL.
   * - `unavailable`: the source returned null.
   * - `failed`: the element cannot play; `error` says why.
   * - `stopped`: the element is left alone.
   */
  readonly status: 'loading' | 'ready' | 'unavailable' | 'failed' | 'stopped';
  /** Last error of the source or of the element; undefined after a success. */
  readonly error: unknown;
  /** Time at which the URL expires, by the local clock; undefined if unknown. */
  readonly expiresAt: Date | undefined;
  /** Whether the user wants to hear the recording, also while it loads or has failed. */
  readonly isWanted: boolean;
  /** Plays, with a fresh URL if necessary. */
  play(): void;
  /** Pauses. */
  pause(): void;
  /** Reads the URL again, and changes to it. Never rejects: see `error`. */
  renew(): Promise<void>;
  /** Leaves the element alone, with its URL. It can be called more than once. */
  stop(): void;
}

/** Why the URL is read: at the start, before it expires, after a failure, while no data arrive, or on request. */
export type RenewReason = 'start' | 'expiring' | 'failed' | 'stalled' | 'requested';

/** What happens to a playback. No event holds a URL. */
export type PlaybackEvent =
  | { type: 'renewing'; reason: RenewReason }
  | { type: 'renewed'; reason: RenewReason; expiresAt: Date | undefined }
  | { type: 'unavailable' }
  | { type: 'failed'; error: unknown; isFinal: boolean }
  | { type: 'blocked' }
  | { type: 'stopped' };
