import { systemClock } from '@memory-read/contract/date-time';
import { longestTimer } from '@memory-read/contract/event-loop';
import { findUnknownOption, unsupportedOption } from '@memory-read/contract/options';
import { refuseOption } from '../configuration/refuse-option.ts';
import { MediaPlaybackError, type MediaPlaybackFailure } from '../errors/errors.ts';
import { isMemoryApiError } from '../errors/is-memory-api-error.ts';
import { mediaUrlExpiresAt } from '../media/media-url.ts';
import { listen } from './listen.ts';
import type {
  KeepPlayingOptions,
  KeptPlayback,
  PlayableSource,
  PlayableUrl,
  PlaybackEvent,
  RenewReason,
} from './playback-types.ts';

/** Timers are late in a hidden tab and after a laptop has slept, so the time is checked at least this often. */
const LONGEST_TIMER = 30_000;
/** The age of a URL that was received later is not the cause of a failure. It bounds the reads of a broken recording. */
const TRIAL = 60_000;
/** The delay before the first one is a second, and each one doubles it. */
const RETRIES = 5;
const MEDIA_ERR_ABORTED = 1;
const MEDIA_ERR_DECODE = 3;
const NETWORK_LOADING = 2;

const playbacks = new WeakMap<HTMLMediaElement, KeptPlayback>();

/**
 * Plays a recording in a media element, and replaces its URL before it expires.
 *
 * Position, speed, volume, captions and the playing or paused state are kept. While the element is paused, no request
 * is sent. A URL that fails is replaced once. If the new one fails too, `onEvent` receives the reason. A second call
 * for the element stops the first. See section 2.1.1 of the specification.
 *
 * @throws a {@link ConfigurationError} if an argument is invalid.
 *
 * @example
 * ```ts
 * const playback = keepPlaying(video, (request) => client.mediaUrl('mem_1', 'video', request));
 * ```
 */
export function keepPlaying(
  element: HTMLMediaElement,
  source: PlayableSource,
  options: KeepPlayingOptions = {},
): KeptPlayback {
  const { initial, margin = 30_000, stallTimeout = 15_000, signal, onEvent } = options;
  assertArguments(element, source, { ...options, margin, stallTimeout });
  playbacks.get(element)?.stop();

  let status: KeptPlayback['status'] = 'loading';
  let error: unknown;
  let expiresAt: Date | undefined;
  /** NaN if the URL is not renewed before it fails. */
  let renewAt = Number.NaN;
  let isWanted = !element.paused || element.autoplay;
  /** URL in the element, as the element returns it. */
  let loaded: string | undefined;
  let reads = initial ? 1 : 0;
  let reading: Promise<void> | undefined;
  /** Time at which the URL was received. */
  let freshSince = Number.NEGATIVE_INFINITY;
  /** Whether the URL replaces one that failed. */
  let isReplacement = false;
  /** Whether the storage has sent data for this load. */
  let hasData = false;
  /** Whether this load has shown its first frame. */
  let hasFrame = false;
  let failures = 0;
  let isFinal = false;
  /** State that a load must not change, although browsers reset some of it. */
  let kept: Pick<HTMLMediaElement, 'defaultPlaybackRate' | 'volume' | 'muted'> | undefined;
  /** Position before the load. */
  let position = 0;
  /** Whether the browser keeps the position before the metadata, so that the user can change it during the load. */
  let takesPosition = true;
  let lastReason: RenewReason = 'start';
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stallTimer: ReturnType<typeof setTimeout> | undefined;
  const stopping = new AbortController();
  const now = () => systemClock.now().getTime();

  function emit(event: PlaybackEvent): void {
    try {
      onEvent?.(event);
    } catch {
      // An error of a listener is not a failure of the playback.
    }
  }

  function fail(reason: unknown, final: boolean): void {
    error = reason;
    isFinal = final;
    const plays = loaded !== undefined && !element.error && status === 'ready';
    if (!plays && (final || failures > RETRIES)) status = 'failed';
    emit({ type: 'failed', error, isFinal: final });
  }

  function failMedia(reason: MediaPlaybackFailure): void {
    status = 'failed';
    fail(new MediaPlaybackError(`Failed to play the recording: ${problems[reason]}`, { reason }), true);
  }

  function renew(reason: RenewReason): Promise<void> {
    if (status === 'stopped') return Promise.resolve();
    clearTimeout(timer);
    isFinal = false;
    reading ??= read(reason).finally(() => {
      reading = undefined;
      schedule();
    });
    return reading;
  }

  async function read(reason: RenewReason): Promise<void> {
    lastReason = reason;
    emit({ type: 'renewing', reason });
    let fresh: PlayableUrl | null;
    try {
      fresh = await source({ signal: stopping.signal, fresh: reads > 0 });
    } catch (rejected) {
      if (stopping.signal.aborted) return;
      failures += 1;
      fail(rejected, !isCurable(rejected));
      return;
    }
    if (stopping.signal.aborted) return;
    reads += 1;
    failures = 0;
    if (!fresh) {
      status = 'unavailable';
      error = undefined;
      emit({ type: 'unavailable' });
      return;
    }
    take(fresh, reason);
    if (!isFinal) emit({ type: 'renewed', reason, expiresAt });
  }

  function take({ url, expiresAt: end = mediaUrlExpiresAt(url) }: PlayableUrl, reason: RenewReason): void {
    const target = absolute(url);
    if (target === undefined) {
      failMedia('invalid');
      return;
    }
    // An expiry in the past shows that the clocks differ.
    expiresAt = Number(end) > now() ? end : undefined;
    renewAt = Number(expiresAt) - Math.min(margin, (Number(expiresAt) - now()) / 2);
    error = undefined;
    const isBroken = status !== 'ready' || element.error || reason === 'failed' || reason === 'stalled';
    if (target === loaded && !isBroken) {
      // The source has no other URL before this one expires.
      renewAt = Number(expiresAt);
      return;
    }
    isReplacement = reason === 'failed' || reason === 'stalled';
    freshSince = now();
    status = 'ready';
    load(target);
  }

  /** Position, playing state and speed are set as if a user had changed them during the load. */
  function load(url: string): void {
    const { currentTime, defaultPlaybackRate, playbackRate, volume, muted } = element;
    // If a load is replaced before its metadata arrived, it has restored nothing yet.
    if (kept === undefined) {
      kept = { defaultPlaybackRate, volume, muted };
      position = currentTime;
      takesPosition = true;
    }
    hasData = false;
    hasFrame = false;
    element.defaultPlaybackRate = playbackRate;
    loaded = url;
    element.src = url;
    loaded = element.src;
    if (currentTime > 0) element.currentTime = currentTime;
    if (element.currentTime !== currentTime) takesPosition = false;
    if (isWanted) start();
    watchData();
  }

  function restore(): void {
    if (kept === undefined) return;
    Object.assign(element, kept);
    kept = undefined;
    if (!takesPosition) element.currentTime = position;
    // The user can seek during the load, so what counts is where the element can seek to.
    if (element.currentTime < position - 1 && seekableEnd(element) < position) emit({ type: 'restarted', position });
  }

  function start(): void {
    // Events report other failures. A later load rejects the promise, which is not a failure.
    element.play()?.catch((reason: unknown) => {
      if ((reason as Error)?.name !== 'NotAllowedError') return;
      isWanted = false;
      emit({ type: 'blocked' });
    });
  }

  function schedule(): void {
    clearTimeout(timer);
    if (status === 'stopped' || reading !== undefined || isFinal) return;
    const left = renewAt - now();
    if (failures > 0) {
      if (failures <= RETRIES) timer = setTimeout(tryAgain, 500 * 2 ** failures);
    } else if (isWanted) timer = setTimeout(check, left > 0 && left < LONGEST_TIMER ? left : LONGEST_TIMER);
  }

  /** Checks the time. Without `isAsked`, only a playing element gets a new URL. */
  function check(isAsked = false): void {
    // A failed source has a timer of its own.
    if (failures > 0) return;
    const isDue = element.error ? isAsked : now() >= renewAt && needsRequest(isAsked);
    if (isDue && !isFinal && status === 'ready' && (isWanted || isAsked))
      void renew(element.error ? 'failed' : 'expiring');
    else schedule();
  }

  /** Whether a new URL is better than the running response, which outlives its URL. */
  function needsRequest(isAsked: boolean): boolean {
    return hasFrame ? isSeekable(element) && !isBuffered(element) : isAsked && !hasData;
  }

  /** Calls a failed source again after an action of the user or when the network is back. */
  function tryAgain(): void {
    if (failures > 0 && !isFinal) void renew(lastReason);
  }

  const hasExpired = () => now() >= Number(expiresAt);
  /** Whether an expired URL can be the reason for the failure. */
  const isOld = () => hasExpired() || now() - freshSince >= TRIAL;

  /** Renews the URL if the browser waits for data, none arrive, and the position stays. Firefox reports no `waiting`. */
  function watchData(): void {
    clearTimeout(stallTimer);
    const { currentTime } = element;
    stallTimer = setTimeout(() => {
      if (!isWanted || element.error || status !== 'ready') return;
      const isStalled = element.networkState === NETWORK_LOADING && element.currentTime === currentTime;
      // A slow network is not a failure, so a stall causes at most one read a minute.
      if (isStalled && isOld() && failures === 0) void renew('stalled');
      else watchData();
    }, stallTimeout);
  }

  const reactions: Record<string, () => void> = {
    play() {
      isWanted = true;
      if (status === 'unavailable') void renew('requested');
      tryAgain();
      check(true);
      watchData();
    },
    pause() {
      // Chromium pauses an element whose media fails.
      if (!element.error) isWanted = false;
    },
    seeking() {
      // Each step of a scrub is a seek, so a later one waits for the timer.
      if (failures > RETRIES) {
        failures = 0;
        void renew(lastReason);
      }
      check(true);
    },
    waiting() {
      watchData();
      check();
    },
    progress() {
      hasData = true;
      watchData();
    },
    loadeddata() {
      hasFrame = true;
      // To renew it now would load the first frame again, which takes longer than a URL lives.
      if (now() >= renewAt) renewAt = Number.NaN;
    },
    error() {
      const code = element.error?.code;
      if (loaded === undefined || code === MEDIA_ERR_ABORTED || status === 'failed') return;
      if (code === MEDIA_ERR_DECODE && !hasExpired()) failMedia('damaged');
      else if (reading !== undefined) return;
      else if (!hasExpired() && isReplacement && !(hasData && isOld())) failMedia('refused');
      // Firefox reports a connection that ends during a pause. A paused element needs no new URL until it plays.
      else if (isWanted || element.readyState === 0) void renew('failed');
    },
    volumechange() {
      if (kept === undefined) return;
      const isLouder = (kept.muted && !element.muted) || kept.volume < element.volume;
      // WebKitGTK turns up the sound when it loads, so only a change by the user counts.
      if (isLouder && globalThis.navigator?.userActivation?.isActive === false) return;
      kept.volume = element.volume;
      kept.muted = element.muted;
    },
    loadedmetadata: restore,
    emptied: stopIfReplaced,
    loadstart: stopIfReplaced,
  };

  /** If the app sets another URL, it controls the element again. */
  function stopIfReplaced(): void {
    if (loaded !== undefined && (element.src !== loaded || element.srcObject)) stop();
  }

  function stop(): void {
    if (status === 'stopped') return;
    status = 'stopped';
    clearTimeout(timer);
    clearTimeout(stallTimer);
    stopping.abort();
    if (kept) element.defaultPlaybackRate = kept.defaultPlaybackRate;
    playbacks.delete(element);
    emit({ type: 'stopped' });
  }

  const playback: KeptPlayback = {
    get status() {
      return status;
    },
    get error() {
      return error;
    },
    get expiresAt() {
      return expiresAt;
    },
    get isWanted() {
      return isWanted;
    },
    play() {
      if (status === 'stopped') return;
      isWanted = true;
      if (status === 'failed' || status === 'unavailable') void renew('requested');
      else if (loaded !== undefined) start();
      tryAgain();
    },
    pause() {
      if (status === 'stopped') return;
      isWanted = false;
      element.pause();
    },
    renew: () => renew('requested'),
    stop,
  };

  const { signal: stopped } = stopping;
  const wake = () => check();
  const online = () => {
    tryAgain();
    check();
  };
  listen(element, reactions, stopped);
  listen(globalThis.document, { visibilitychange: wake }, stopped);
  listen(globalThis, { pageshow: wake, online }, stopped);
  listen(signal, { abort: stop }, stopped);
  playbacks.set(element, playback);
  if (signal?.aborted) stop();
  else if (initial) {
    take(initial, 'start');
    schedule();
    // A URL of unknown expiry can have any age.
    if (expiresAt === undefined) freshSince = Number.NEGATIVE_INFINITY;
  } else void renew('start');
  return playback;
}

const problems: Record<MediaPlaybackFailure, string> = {
  refused: 'a fresh URL failed too. Check that the storage allows this page to load media, or try again later.',
  damaged: 'the browser cannot decode it. Download it, and try another player.',
  invalid: 'its URL is neither http:, https: nor blob:. Check what the source returns.',
};

/** Whether the same request can succeed later. An error without a code can be transient. */
function isCurable(error: unknown): boolean {
  return !isMemoryApiError(error) || ['connection', 'timeout', 'server', 'rate_limited'].includes(error.code);
}

/** Returns the URL as an element returns it; undefined for a scheme that is not supported. */
function absolute(url: string): string | undefined {
  try {
    const { href } = new URL(url, globalThis.document?.baseURI);
    return /^(https?|blob):/.test(href) ? href : undefined;
  } catch {
    return undefined;
  }
}

/** Whether the element has loaded all of the media, so that it needs no new URL. */
function isBuffered({ buffered, duration }: HTMLMediaElement): boolean {
  return buffered.length === 1 && buffered.start(0) <= 0 && buffered.end(0) >= duration;
}

/** Whether the element can take its position again after a load. It cannot if the server sends no byte ranges. */
function isSeekable(element: HTMLMediaElement): boolean {
  // Without byte ranges, Chromium ends this range at 0, and Firefox at the last byte that has arrived.
  return element.duration < Number.POSITIVE_INFINITY && seekableEnd(element) + 1 >= element.duration;
}

/** Returns the last position to which the element can seek, in seconds. */
function seekableEnd({ seekable }: HTMLMediaElement): number {
  return seekable.length > 0 ? seekable.end(seekable.length - 1) : 0;
}

function assertArguments(element: unknown, source: unknown, options: KeepPlayingOptions): void {
  const refuse = refuseOption.bind(undefined, 'keep the media playing');
  if (typeof Object(element).play !== 'function')
    throw refuse('the first argument is not a media element', 'Pass an audio or video element.');
  if (typeof source !== 'function') throw refuse('the source is not a function', 'Pass a function that returns a URL.');
  const unknown = findUnknownOption(options, ['initial', 'margin', 'stallTimeout', 'signal', 'onEvent']);
  if (unknown) throw refuse(unsupportedOption(unknown), 'Leave it out.', unknown);
  for (const name of ['margin', 'stallTimeout'] as const) {
    const value = options[name];
    if (!(typeof value === 'number' && value >= 0 && value <= longestTimer))
      throw refuse(`${name} is not a number from 0 to 2,147,483,647`, 'Pass milliseconds.', name);
  }
  if (options.onEvent !== undefined && typeof options.onEvent !== 'function')
    throw refuse('onEvent is not a function', 'Pass a function, or leave it out.', 'onEvent');
}
