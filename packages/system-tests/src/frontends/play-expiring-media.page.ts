import { keepPlaying, type PlaybackEvent } from '@memory-read/client/playback';

/** What a browser saw while it played media whose URLs expired. */
export interface SeenPlayback {
  /** Times that the position went back without a seek. */
  back: number;
  /** Milliseconds from the start of a load until the element played again. */
  gaps: number[];
  events: string[];
  status: string;
  error: string | undefined;
  steps: Step[];
}

/** Reads of a URL, and what the element had, at the end of a step. */
interface Step {
  step: string;
  reads: number;
  position: number;
  paused: boolean;
  rate: number;
  volume: number;
  muted: boolean;
  modes: string[];
}

const video = document.querySelector('video') as HTMLVideoElement;
const track = video.addTextTrack('captions');
track.mode = 'showing';
const seen: SeenPlayback = { back: 0, gaps: [], events: [], status: '', error: undefined, steps: [] };
let reads = 0;
let last = 0;
let emptiedAt: number | undefined;

const playback = keepPlaying(
  video,
  async () => {
    reads += 1;
    const { url, end } = await (await fetch('/sign')).json();
    return { url, expiresAt: new Date(end) };
  },
  { margin: 500, onEvent: note },
);

function note(event: PlaybackEvent): void {
  seen.events.push('reason' in event ? `${event.type} ${event.reason}` : event.type);
}

video.addEventListener('emptied', () => {
  emptiedAt = performance.now();
});
video.addEventListener('playing', () => {
  if (emptiedAt !== undefined) seen.gaps.push(Math.round(performance.now() - emptiedAt));
  emptiedAt = undefined;
});
const watch = setInterval(() => {
  if (video.currentTime < last - 0.05) seen.back += 1;
  last = video.currentTime;
}, 20);

const sleep = (time: number) => new Promise((resolve) => setTimeout(resolve, time));
const event = (name: string) => new Promise((resolve) => video.addEventListener(name, resolve, { once: true }));
async function changes(count: number): Promise<void> {
  for (let change = 0; change < count; change += 1) await event('emptied');
  await event('playing');
}
function seek(position: number): void {
  video.currentTime = position;
  last = position;
}
function finish(step: string): void {
  seen.steps.push({
    step,
    reads,
    position: video.currentTime,
    paused: video.paused,
    rate: video.playbackRate,
    volume: video.volume,
    muted: video.muted,
    modes: Array.from(video.textTracks, ({ mode }) => mode),
  });
}

async function play(): Promise<void> {
  // Browsers play no sound before a gesture.
  video.muted = true;
  playback.play();
  await event('playing');
  Object.assign(video, { playbackRate: 1.5, volume: 0.4 });
  // The second track has the attribute `default`, and the user turned it off.
  const [standard] = Array.from(video.textTracks).filter((other) => other !== track);
  if (standard) standard.mode = 'disabled';
  const dying = event('emptied');
  await fetch('/kill');
  await dying;
  await event('playing');
  finish('a URL that dies early');

  await changes(2);
  finish('two changes');

  await event('emptied');
  seek(0);
  video.volume = 0.2;
  await event('playing');
  await event('timeupdate');
  finish('a seek to the start and less volume during a load');

  seek(30);
  await changes(1);
  video.pause();
  finish('a seek and a pause');
  await sleep(4_200);
  finish('paused over two expiries');
  void video.play();
  await changes(1);
  finish('playing again');
  seen.status = playback.status;
  playback.stop();
}

await Promise.race([play(), sleep(25_000)]).catch((error: unknown) => {
  seen.error = String(error);
});
clearInterval(watch);
seen.error ??= playback.error === undefined ? undefined : String(playback.error);
await fetch('/seen', { method: 'POST', body: JSON.stringify(seen) });
