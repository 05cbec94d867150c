import { MediaUnavailableError, type Memory, type MemoryClient } from '@memory-read/client';
import { isExpiring, type MediaSource, mediaSource, type PlayableKind, playableKinds } from './media-source.ts';

/** What there is to see of a playback. */
export interface PlaybackState {
  /** Null where there is nothing to play. */
  readonly kind: PlayableKind | null;
  readonly seconds: number;
  /** Seconds. */
  readonly length: number;
  readonly isPlaying: boolean;
  readonly error: unknown;
}

/**
 * Plays a memory's media in an element that it is given.
 *
 * The moment and the wish to play are kept here and not in the element, so that neither is lost with a URL that expires:
 * the element gets a fresh one, and resumes at the same position.
 */
export class MediaPlayback {
  #state: PlaybackState;
  #source: MediaSource | null = null;
  #element: HTMLMediaElement | null = null;
  /** Whether the element's own time is the current position. */
  #isReady = false;
  #isRenewing = false;
  /** Whether the URL was renewed and has not played yet. If it fails too, expiry is not the cause. */
  #isUnconfirmed = false;
  readonly #client: MemoryClient;
  #memory: Memory;
  readonly #listeners = new Set<() => void>();

  constructor(client: MemoryClient, memory: Memory) {
    this.#client = client;
    this.#memory = memory;
    this.#state = { kind: null, seconds: 0, length: memory.duration_seconds, isPlaying: false, error: null };
    this.take(memory);
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly state = (): PlaybackState => this.#state;

  /** The memory as it is now. What plays already plays on. */
  take(memory: Memory): void {
    this.#memory = memory;
    const [kind] = playableKinds(memory);
    if (this.#source === null && kind !== undefined) this.choose(kind);
  }

  /** Plays in this element until the returned function is called. */
  readonly attach = (element: HTMLMediaElement): (() => void) => {
    const detaching = new AbortController();
    const reactions = {
      loadedmetadata: () => this.#begin(),
      timeupdate: () => this.#follow(),
      seeking: () => this.#follow(),
      waiting: () => this.#awaitMore(),
      canplay: () => (this.#isUnconfirmed = false),
      play: () => this.#show({ isPlaying: true }),
      pause: () => this.#isReady && this.#show({ isPlaying: false }),
      error: () => this.#recover(),
    };
    for (const [name, react] of Object.entries(reactions)) {
      element.addEventListener(name, react, { signal: detaching.signal });
    }
    this.#element = element;
    this.#load();
    return () => {
      detaching.abort();
      this.#element = null;
    };
  };

  /** Plays from a moment on. */
  readonly jump = (seconds: number): void => {
    this.#show({ seconds, isPlaying: true });
    this.#apply();
  };

  /** Goes to a moment, and plays if it played. */
  readonly move = (seconds: number): void => {
    this.#show({ seconds });
    this.#apply();
  };

  readonly toggle = (): void => {
    const seconds = this.#element?.ended ? 0 : this.#state.seconds;
    this.#show({ seconds, isPlaying: !this.#state.isPlaying });
    this.#apply();
  };

  /** Plays the picture or the sound alone, from the same moment on. */
  choose(kind: PlayableKind): void {
    this.#source = mediaSource(this.#memory, kind);
    this.#show({ kind });
    this.#load();
  }

  readonly retry = (): void => void this.#renew();

  /** A URL that is set again is loaded again, unlike an attribute that stays the same. */
  #load(): void {
    if (this.#source === null || this.#element === null) return;
    if (isExpiring(this.#source, Date.now())) return void this.#renew();
    this.#play(this.#source.url);
  }

  /** Also a fresh URL that seems to expire at once is tried: clocks differ. */
  #play(url: string): void {
    this.#isReady = false;
    if (this.#element) this.#element.src = url;
  }

  /** Brings the element to what is wanted, which has to wait for a fresh URL where the one at hand is about to expire. */
  #apply(): void {
    const { seconds, isPlaying } = this.#state;
    if (this.#source === null || this.#element === null) return;
    if (isExpiring(this.#source, Date.now())) return void this.#renew();
    if (!this.#isReady) return;
    if (this.#element.currentTime !== seconds) this.#element.currentTime = seconds;
    if (isPlaying) void this.#start(this.#element);
    else this.#element.pause();
  }

  async #start(element: HTMLMediaElement): Promise<void> {
    try {
      await element.play();
    } catch (error) {
      // Events report other failures. `play` also rejects if another call replaces it, which is not a failure.
      if ((error as Error).name === 'NotAllowedError') this.#show({ isPlaying: false });
    }
  }

  #begin(): void {
    this.#isReady = true;
    const length = this.#element?.duration ?? Number.NaN;
    if (Number.isFinite(length)) this.#show({ length });
    this.#apply();
  }

  #follow(): void {
    if (this.#isReady && this.#element) this.#show({ seconds: this.#element.currentTime });
  }

  /** Chromium asks again and again before it calls a URL that has expired an error. */
  #awaitMore(): void {
    if (this.#isReady && this.#source && isExpiring(this.#source, Date.now())) void this.#renew();
  }

  #recover(): void {
    if (this.#isRenewing) return;
    const isDamaged = this.#element?.error?.code === MEDIA_ERR_DECODE;
    if (isDamaged || this.#isUnconfirmed) {
      this.#fail(this.#unavailable());
      return;
    }
    this.#isUnconfirmed = true;
    void this.#renew();
  }

  async #renew(): Promise<void> {
    const { kind } = this.#state;
    if (this.#isRenewing || kind === null) return;
    this.#isRenewing = true;
    this.#isReady = false;
    this.#show({ error: null });
    try {
      const fresh = await this.#client.mediaUrl(this.#memory.id, kind);
      if (fresh === null) throw this.#unavailable();
      this.#source = fresh;
      this.#play(fresh.url);
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#isRenewing = false;
    }
  }

  #fail(error: unknown): void {
    this.#isUnconfirmed = false;
    this.#show({ error, isPlaying: false });
  }

  #unavailable(): MediaUnavailableError {
    const { kind } = this.#state;
    const message = `Failed to play the ${kind}: the browser could not load the file. Try again later.`;
    return new MediaUnavailableError(message, { memoryId: this.#memory.id, kind: kind ?? 'audio' });
  }

  #show(change: Partial<PlaybackState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }
}

const MEDIA_ERR_DECODE = 3;
