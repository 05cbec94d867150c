import { keepPlaying } from '@memory-read/client/playback';

const video = document.querySelector('video') as HTMLVideoElement;
const track = video.addTextTrack('captions');
track.mode = 'showing';
const seen = {
  /** Times that the position went back without a seek. */
  back: 0,
  events: [] as string[],
  status: '',
  error: undefined as string | undefined,
  /** What the element had at the end of each step, and the number of reads of a URL. */
  steps: [] as ReturnType<typeof lookAt>[],
};
let reads = 0;
let last = 0;

/** What a browser saw while it played media whose URLs expired. */
export type SeenPlayback = typeof seen;

const playback = keepPlaying(
  video,
  async () => {
    reads += 1;
    const { url, end } = await (await fetch('/sign')).json();
    return { url, expiresAt: new Date(end) };
  },
  { margin: 500, onEvent: ({ type }) => seen.events.push(type) },
);

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
function lookAt(step: string) {
  const { currentTime: position, paused, playbackRate: rate, volume, muted } = video;
  return {
    step,
    reads,
    position,
    paused,
    rate,
    volume,
    muted,
    modes: Array.from(video.textTracks, ({ mode }) => mode),
  };
}
function finish(step: string): void {
  seen.steps.push(lookAt(step));
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
  // A slow browser has played less than a second in the time of two URLs.
  while (video.currentTime < 1) await event('timeupdate');
  finish('two changes');

  await event('emptied');
  seek(0);
  video.volume = 0.2;
  await event('playing');
  await event('timeupdate');
  finish('a seek to the start, less volume');

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
