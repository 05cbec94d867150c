import { beforeEach, expect, test, vi } from 'vitest';
import { ConnectionError, MemoryNotFoundError } from '../index.ts';
import { useFakeTimers } from '../testing/fake-timers.ts';
import { FakeMedia } from './fake-media.test-support.ts';
import { keepPlaying } from './keep-playing.ts';
import type { KeepPlayingOptions, KeptPlayback, PlayableUrl, PlaybackEvent } from './playback-types.ts';

const MINUTE = 60_000;
let media: FakeMedia;
let requests: boolean[];
let events: string[];
let answer: () => PlayableUrl | null | Promise<PlayableUrl | null>;

useFakeTimers({ now: new Date('2026-11-20T12:00:00Z') });
beforeEach(() => {
  media = new FakeMedia();
  requests = [];
  events = [];
  answer = () => urlOf(60);
});

let signature = 0;
function urlOf(minutes: number): PlayableUrl {
  signature += 1;
  return { url: `https://media.example.com/a.wav?s=${signature}`, expiresAt: new Date(Date.now() + minutes * MINUTE) };
}

function keep(options: KeepPlayingOptions = {}) {
  const source = async ({ fresh }: { fresh: boolean }) => {
    requests.push(fresh);
    return answer();
  };
  const note = (event: PlaybackEvent) => {
    const detail = 'reason' in event ? event.reason : 'position' in event ? event.position : '';
    events.push(`${event.type} ${detail}`.trim());
  };
  return keepPlaying(media as unknown as HTMLMediaElement, source, { onEvent: note, ...options });
}

const settle = () => vi.advanceTimersByTimeAsync(0);
async function startPlaying(options: KeepPlayingOptions = {}) {
  const playback = keep(options);
  await settle();
  media.begin();
  playback.play();
  await settle();
  return playback;
}

test('sends one read at the start, and none if the URL is passed', async () => {
  const playback = keep();
  expect(playback.status).toBe('loading');
  await settle();
  expect([requests, media.loads.length, playback.status]).toEqual([[false], 1, 'ready']);
  expect(playback.expiresAt).toEqual(new Date('2026-11-20T13:00:00Z'));
  const known = urlOf(60);
  keep({ initial: known });
  expect([requests, media.loads.at(-1)]).toEqual([[false], known.url]);
});

test('replaces each URL half a minute before it expires while it plays, with one read', async () => {
  await startPlaying();
  await vi.advanceTimersByTimeAsync(59 * MINUTE + 29_000);
  expect(requests).toEqual([false]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(requests).toEqual([false, true]);
  for (let times = 0; times < 3; times += 1) {
    media.begin();
    await vi.advanceTimersByTimeAsync(59.5 * MINUTE);
  }
  expect(requests).toHaveLength(5);
  expect(events.slice(0, 4)).toEqual(['renewing start', 'renewed start', 'renewing expiring', 'renewed expiring']);
});

test('keeps position, speed, volume, sound and the playing state when the URL is replaced', async () => {
  await startPlaying();
  Object.assign(media, { playbackRate: 1.5, volume: 0.4, muted: true });
  media.advance(42);
  await vi.advanceTimersByTimeAsync(60 * MINUTE);
  Object.assign(media, { muted: false, volume: 1 });
  media.begin();
  expect(media).toMatchObject({ playbackRate: 1.5, defaultPlaybackRate: 1, volume: 0.4, muted: true, paused: false });
  expect(media.currentTime).toBe(42);
});

test.each([70, 0])('keeps a seek to %d s and a pause during a load', async (seconds) => {
  const playback = await startPlaying();
  media.advance(42);
  await vi.advanceTimersByTimeAsync(60 * MINUTE);
  expect(media.currentTime).toBe(42);
  media.currentTime = seconds;
  media.pause();
  media.begin();
  expect([media.currentTime, media.paused, playback.isWanted]).toEqual([seconds, true, false]);
});

test('keeps sound that the user changes during a load, not sound that the browser turns up', async () => {
  const navigator = { userActivation: { isActive: false } };
  vi.stubGlobal('navigator', navigator);
  const changeDuringLoad = async (sound: { volume: number; muted: boolean }) => {
    await vi.advanceTimersByTimeAsync(60 * MINUTE);
    Object.assign(media, sound);
    media.fire('volumechange');
    media.begin();
    return { volume: media.volume, muted: media.muted };
  };
  await startPlaying();
  const quiet = { volume: 0.4, muted: true };
  expect(await changeDuringLoad(quiet)).toEqual(quiet);
  expect(await changeDuringLoad({ volume: 1, muted: true })).toEqual(quiet);
  expect(await changeDuringLoad({ volume: 0.4, muted: false })).toEqual(quiet);
  navigator.userActivation.isActive = true;
  expect(await changeDuringLoad({ volume: 1, muted: false })).toEqual({ volume: 1, muted: false });
});

test('sends no read while it is paused, and one when it plays or seeks again', async () => {
  const playback = await startPlaying();
  media.pause();
  await vi.advanceTimersByTimeAsync(300 * MINUTE);
  expect([requests, playback.isWanted]).toEqual([[false], false]);
  media.currentTime = 5;
  await settle();
  expect(requests).toEqual([false, true]);
  media.begin();
  await vi.advanceTimersByTimeAsync(300 * MINUTE);
  void media.play();
  await settle();
  expect(requests).toEqual([false, true, true]);
});

test('does not renew the URL of media that are buffered completely', async () => {
  await startPlaying();
  media.buffered = { length: 1, start: () => 0, end: () => 100 };
  await vi.advanceTimersByTimeAsync(120 * MINUTE);
  media.pause();
  media.currentTime = 5;
  void media.play();
  await settle();
  expect(requests).toEqual([false]);
});

test('replaces a URL with a lifetime of less than a minute after half of it', async () => {
  answer = () => urlOf(0.5);
  await startPlaying();
  await vi.advanceTimersByTimeAsync(14_000);
  expect(requests).toEqual([false]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(requests).toEqual([false, true]);
});

test('sends one read when a laptop wakes up', async () => {
  await startPlaying();
  vi.setSystemTime(new Date('2026-11-20T18:00:00Z'));
  await vi.advanceTimersByTimeAsync(30_000);
  expect(requests).toEqual([false, true]);
});

test.each(['visibilitychange', 'pageshow', 'online'])(
  'sends one read at %s if it plays, and none while it is paused',
  async (name) => {
    const document = new EventTarget();
    if (name !== 'visibilitychange') vi.stubGlobal('addEventListener', document.addEventListener.bind(document));
    vi.stubGlobal('document', document);
    const playback = await startPlaying();
    media.pause();
    vi.setSystemTime(new Date('2026-11-20T18:00:00Z'));
    document.dispatchEvent(new Event(name));
    await settle();
    expect(requests).toEqual([false]);
    playback.play();
    await settle();
    expect(requests).toEqual([false, true]);
    media.begin();
    vi.setSystemTime(new Date('2026-11-20T23:00:00Z'));
    document.dispatchEvent(new Event(name));
    await settle();
    expect(requests).toEqual([false, true, true]);
  },
);

test('replaces a URL that fails with one read, and plays on although Chromium pauses', async () => {
  const playback = await startPlaying();
  media.advance(10);
  await vi.advanceTimersByTimeAsync(2 * MINUTE);
  media.fail(2);
  expect(playback.isWanted).toBe(true);
  await settle();
  media.begin();
  expect([requests, media.currentTime, media.paused]).toEqual([[false, true], 10, false]);
});

test.each<[string, (playback: KeptPlayback) => void]>([
  ['play', (playback) => playback.play()],
  ['the play button of the element', () => void media.play()],
  ['a seek', () => (media.currentTime = 5)],
])('a paused recording whose connection ends costs one read, at %s', async (_name, act) => {
  const playback = await startPlaying();
  media.pause();
  await vi.advanceTimersByTimeAsync(61 * MINUTE);
  media.fail(2);
  await vi.advanceTimersByTimeAsync(300 * MINUTE);
  expect([requests, playback.status, playback.error]).toEqual([[false], 'ready', undefined]);
  act(playback);
  await settle();
  expect([requests, events.at(-1)]).toEqual([[false, true], 'renewed failed']);
});

test('renews the URL of a paused recording with unknown expiry when it plays, if its connection ended', async () => {
  const playback = await startPlaying({ initial: { url: 'https://media.example.com/a.wav' } });
  media.pause();
  media.fail(2);
  await vi.advanceTimersByTimeAsync(MINUTE);
  expect(requests).toEqual([]);
  playback.play();
  await settle();
  expect(requests).toEqual([true]);
});

test('restores the state before the first load when a load replaces another one', async () => {
  media.takesEarlySeeks = false;
  const playback = await startPlaying();
  media.playbackRate = 1.5;
  media.advance(42);
  await playback.renew();
  await playback.renew();
  media.begin();
  expect(media).toMatchObject({ currentTime: 42, playbackRate: 1.5, defaultPlaybackRate: 1 });
});

test('replaces a passed URL that fails at once, although nothing plays yet', async () => {
  keep({ initial: urlOf(60) });
  media.fail(4);
  await settle();
  expect([requests, media.loads.length]).toEqual([[true], 2]);
});

test('ends with a final failure if the new URL fails too', async () => {
  const playback = await startPlaying();
  media.fail(4);
  await settle();
  media.fail(4);
  await vi.advanceTimersByTimeAsync(60 * MINUTE);
  expect([requests.length, playback.status]).toEqual([2, 'failed']);
  expect(playback.error).toMatchObject({ code: 'media_playback', reason: 'refused' });
  answer = () => urlOf(60);
  playback.play();
  await settle();
  expect([requests.length, playback.status, playback.error]).toEqual([3, 'ready', undefined]);
});

test('ends with a final failure if a recording plays for a while and fails again within a minute', async () => {
  await startPlaying();
  for (let times = 0; times < 20; times += 1) {
    media.begin();
    media.advance(2);
    media.fail(2);
    await vi.advanceTimersByTimeAsync(2_000);
  }
  expect(requests).toHaveLength(2);
});

test('reports a recording that cannot be decoded as damaged, unless its URL has expired', async () => {
  const playback = await startPlaying();
  media.fail(3);
  await settle();
  expect([requests, playback.error]).toEqual([[false], expect.objectContaining({ reason: 'damaged' })]);
  media = new FakeMedia();
  await startPlaying({ initial: urlOf(1) });
  media.buffered = { length: 1, start: () => 0, end: () => 100 };
  await vi.advanceTimersByTimeAsync(2 * MINUTE);
  media.fail(3);
  await settle();
  expect(requests).toEqual([false, true]);
});

test('calls a failing source again after 1, 2, 4, 8 and 16 s, then on request, and does not interrupt playback', async () => {
  const playback = await startPlaying();
  answer = () => Promise.reject(new ConnectionError('Failed.', { reason: 'unreachable' }));
  await vi.advanceTimersByTimeAsync(59 * MINUTE + 30_000);
  expect([requests.length, playback.status, media.paused]).toEqual([2, 'ready', false]);
  await vi.advanceTimersByTimeAsync(31_000);
  expect(requests).toHaveLength(7);
  await vi.advanceTimersByTimeAsync(60 * MINUTE);
  expect(requests).toHaveLength(7);
  answer = () => urlOf(60);
  media.currentTime = 3;
  await settle();
  expect([requests.length, playback.status, playback.error]).toEqual([8, 'ready', undefined]);
});

test('a scrub over a failing source calls it no more often', async () => {
  answer = () => Promise.reject(new ConnectionError('Failed.', { reason: 'unreachable' }));
  keep();
  await vi.advanceTimersByTimeAsync(MINUTE);
  expect(requests).toHaveLength(6);
  for (let step = 0; step < 60; step += 1) {
    media.fire('seeking');
    await vi.advanceTimersByTimeAsync(30);
  }
  // The first step calls it at once, and the next call follows after a second.
  expect(requests).toHaveLength(8);
});

test('a URL that replaced an expiring one is replaced too when it fails, and the next one is final', async () => {
  const playback = await startPlaying();
  await vi.advanceTimersByTimeAsync(59.5 * MINUTE);
  media.begin();
  media.advance(10);
  media.fail(2);
  await settle();
  expect([requests.length, playback.status]).toEqual([3, 'ready']);
  media.fail(2);
  await settle();
  expect([requests.length, playback.error]).toEqual([3, expect.objectContaining({ reason: 'refused' })]);
});

test('a source that returns the same URL is called once more before it expires', async () => {
  const same = urlOf(60);
  answer = () => same;
  await startPlaying();
  await vi.advanceTimersByTimeAsync(59.9 * MINUTE);
  expect(requests).toEqual([false, true]);
  await vi.advanceTimersByTimeAsync(MINUTE);
  expect([requests, media.loads]).toEqual([[false, true, true], [same.url]]);
});

test('a stop during a load keeps the default speed of the element', async () => {
  const playback = await startPlaying();
  media.playbackRate = 2;
  await playback.renew();
  playback.stop();
  expect(media.defaultPlaybackRate).toBe(1);
});

test('calls a failed source again when the network is back', async () => {
  const window = new EventTarget();
  vi.stubGlobal('addEventListener', window.addEventListener.bind(window));
  answer = () => Promise.reject(new ConnectionError('Failed.', { reason: 'unreachable' }));
  const playback = keep();
  await vi.advanceTimersByTimeAsync(60_000);
  expect([requests.length, playback.status]).toEqual([6, 'failed']);
  answer = () => urlOf(60);
  window.dispatchEvent(new Event('online'));
  await settle();
  expect([requests.length, playback.status]).toEqual([7, 'ready']);
});

test('ends with a final failure after an error that a retry cannot fix', async () => {
  answer = () => Promise.reject(new MemoryNotFoundError('Failed.', { memoryId: 'mem_0', status: 404 }));
  const playback = keep();
  await vi.advanceTimersByTimeAsync(60 * MINUTE);
  expect([requests, playback.status]).toEqual([[false], 'failed']);
  expect(playback.error).toMatchObject({ code: 'not_found' });
});

test('does not change the element until a renewal if the source returns null', async () => {
  answer = () => null;
  const playback = keep();
  await vi.advanceTimersByTimeAsync(60 * MINUTE);
  expect([requests, media.loads, playback.status]).toEqual([[false], [], 'unavailable']);
  void media.play();
  await settle();
  expect([requests, media.loads, playback.status]).toEqual([[false, true], [], 'unavailable']);
  answer = () => urlOf(60);
  await playback.renew();
  expect([requests.length, playback.status]).toEqual([3, 'ready']);
});

test('plays a URL that seems expired, with an unknown expiry', async () => {
  answer = () => urlOf(-90);
  const playback = await startPlaying();
  await vi.advanceTimersByTimeAsync(10 * MINUTE);
  expect([requests, media.loads.length, playback.expiresAt]).toEqual([[false], 1, undefined]);
});

test('loads the same URL again only after a failure', async () => {
  const same = urlOf(60);
  answer = () => same;
  const playback = await startPlaying();
  await playback.renew();
  expect(media.loads).toHaveLength(1);
  media.fail(2);
  await settle();
  expect(media.loads).toHaveLength(2);
});

test.each(['javascript:alert(1)', 'data:audio/wav,x', 'file:///etc/passwd', 'http://['])(
  '%s is never loaded',
  async (url) => {
    answer = () => ({ url });
    const playback = keep();
    await settle();
    expect([media.loads, playback.error]).toEqual([[], expect.objectContaining({ reason: 'invalid' })]);
  },
);

test('joins concurrent renewals', async () => {
  const playback = await startPlaying();
  await Promise.all([playback.renew(), playback.renew()]);
  expect(requests).toEqual([false, true]);
});

/** Waits for data, as a browser does. */
function starve(): void {
  media.networkState = 2;
  media.fire('waiting');
}
async function wait(seconds: number, eachSecond?: () => void): Promise<void> {
  for (let second = 0; second < seconds; second += 1) {
    eachSecond?.();
    await vi.advanceTimersByTimeAsync(1_000);
  }
}
const arrive = () => media.fire('progress');
const old: KeepPlayingOptions = { initial: { url: 'https://media.example.com/a.wav' } };

test.each<[string, number, KeepPlayingOptions, () => Promise<void>]>([
  ['no data of a fresh URL', 0, {}, () => wait(20)],
  ['no data of a fresh URL for a minute', 1, {}, () => wait(75)],
  ['no data of a URL of unknown age', 1, old, () => wait(20)],
  ['data that arrive slowly', 0, old, () => wait(120, arrive)],
  ['data that end', 1, old, () => wait(30, arrive).then(() => wait(20))],
  ['a buffer that still plays', 0, old, () => wait(120, () => media.advance(1))],
  [
    'a buffer that is full',
    0,
    old,
    () => {
      media.networkState = 1;
      return wait(120);
    },
  ],
  [
    'a pause',
    0,
    old,
    () => {
      media.pause();
      return wait(120);
    },
  ],
])('%s: %d reads because of a stall', async (_name, reads, options, act) => {
  await startPlaying(options);
  starve();
  await act();
  expect(events.filter((event) => event === 'renewed stalled')).toHaveLength(reads);
  expect(requests.filter((fresh) => fresh)).toHaveLength(reads);
});

test('does not restart a first frame that takes longer than its URL lives', async () => {
  answer = () => urlOf(1);
  const playback = keep();
  playback.play();
  await settle();
  await wait(150, arrive);
  media.begin();
  await wait(60);
  expect(requests).toEqual([false]);
  media.fail(2);
  await settle();
  expect(requests).toEqual([false, true]);
});

test.each([
  ['a running response', 'ready', arrive],
  ['no data', 'failed', () => {}],
] as const)('a fresh URL that fails after a minute with %s is %s', async (_name, status, eachSecond) => {
  const playback = await startPlaying({ stallTimeout: 10 * MINUTE });
  media.fail(2);
  await settle();
  await wait(72, eachSecond);
  media.fail(2);
  await settle();
  expect(playback.status).toBe(status);
});

test.each([
  ['in Chromium', { seekableEnd: 0 }, true],
  ['in Firefox', { seekableEnd: 30 }, true],
  ['without a length', { seekableEnd: Number.POSITIVE_INFINITY, duration: Number.POSITIVE_INFINITY }, false],
])('does not renew media without byte ranges %s before they fail', async (_name, state, isLost) => {
  Object.assign(media, state);
  await startPlaying();
  media.advance(42);
  await vi.advanceTimersByTimeAsync(120 * MINUTE);
  expect(requests).toEqual([false]);
  media.fail(2);
  await settle();
  media.begin();
  expect([requests, events.at(-1)]).toEqual([[false, true], isLost ? 'restarted 42' : 'renewed failed']);
});

test('reports that a recording is now shorter than its position', async () => {
  await startPlaying();
  media.advance(42);
  await vi.advanceTimersByTimeAsync(60 * MINUTE);
  Object.assign(media, { duration: 20, seekableEnd: 20 });
  media.begin();
  expect([media.currentTime, events.at(-1)]).toEqual([20, 'restarted 42']);
});

test('reports a play that the page forbids, and does not try to play again', async () => {
  media.refusal = 'NotAllowedError';
  const playback = await startPlaying();
  expect([playback.isWanted, events.at(-1)]).toEqual([false, 'blocked']);
});

test('does not change the element after stop, another call, another src or an abort', async () => {
  const first = await startPlaying();
  first.stop();
  first.stop();
  expect([media.paused, media.loads.length, events.filter((event) => event === 'stopped').length]).toEqual([
    false,
    1,
    1,
  ]);
  await vi.advanceTimersByTimeAsync(120 * MINUTE);
  expect([requests.length, vi.getTimerCount()]).toEqual([1, 0]);
  const second = keep();
  const third = keep();
  expect(second.status).toBe('stopped');
  await settle();
  expect(third.status).toBe('ready');
  media.srcObject = {};
  expect(third.status).toBe('stopped');
  media.srcObject = null;
  const fifth = keep();
  await settle();
  media.src = 'https://other.example.com/own.wav';
  expect(fifth.status).toBe('stopped');
  const aborting = new AbortController();
  const fourth = keep({ signal: aborting.signal });
  aborting.abort();
  expect(fourth.status).toBe('stopped');
  const count = requests.length;
  expect(keep({ signal: aborting.signal }).status).toBe('stopped');
  await settle();
  expect(requests).toHaveLength(count);
  expect(media.loads.at(-1)).toBe('https://other.example.com/own.wav');
});

test('continues when a listener throws', async () => {
  const playback = keep({
    onEvent: () => {
      throw new Error('Failed to listen: it is broken. Ignore it.');
    },
  });
  await settle();
  expect(playback.status).toBe('ready');
});

test('puts no URL into events and errors', async () => {
  const seen: unknown[] = [];
  const playback = keep({ onEvent: (event) => seen.push(event) });
  await settle();
  media.fail(4);
  await settle();
  media.fail(4);
  expect(JSON.stringify([seen, playback])).not.toContain('media.example.com');
});

const nothing = async () => null;

test.each<[unknown, unknown, unknown]>([
  [{}, nothing, {}],
  [new FakeMedia(), 'https://media.example.com/a.wav', {}],
  [new FakeMedia(), nothing, { margin: -1 }],
  [new FakeMedia(), nothing, { stallTimeout: '15s' }],
  [new FakeMedia(), nothing, { onEvent: 1 }],
  [new FakeMedia(), nothing, { autoplay: true }],
])('bad arguments are refused (%#)', (element, source, options) => {
  expect(() => keepPlaying(element as never, source as never, options as never)).toThrow(
    expect.objectContaining({ code: 'configuration' }),
  );
});
