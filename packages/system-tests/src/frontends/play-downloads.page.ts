import { createCueIndex, followCues, keepPlaying } from '@memory-read/client/playback';

/** A recording, and the position in seconds at which the playback has shown that it works. */
export interface Download {
  name: string;
  until: number;
  /** Milliseconds until a URL expires. Default: an hour. */
  lifetime?: number;
  /** First URL that the page has; without an age, its expiry is unknown. Default: it is read. */
  first?: 'fresh' | 'of unknown age';
  /** Whether the page renews the URL at the end, and waits for the first frame. */
  isRenewed?: boolean;
}

/** What a browser saw while it loaded a recording. */
export interface SeenDownload {
  name: string;
  hasPlayed: boolean;
  events: string[];
}

/** What a browser saw while it loaded media over slow, incomplete and silent responses. */
export interface SeenDownloads {
  downloads: SeenDownload[];
  /** Cues in the order of their reports, and milliseconds from the start of a cue to its report. */
  cues: { cue: number; late: number }[];
  /** Cues that were reported after a seek. */
  afterSeek: number[];
}

const video = document.querySelector('video') as HTMLVideoElement;
video.muted = true;

const sleep = (time: number) => new Promise<void>((resolve) => setTimeout(resolve, time));
const event = (name: string) => new Promise((resolve) => video.addEventListener(name, resolve, { once: true }));
async function playUntil(position: number): Promise<void> {
  while (video.currentTime < position) await event('timeupdate');
}

async function load({ name, until, lifetime = 3_600_000, first, isRenewed }: Download): Promise<SeenDownload> {
  video.removeAttribute('src');
  video.load();
  const events: string[] = [];
  let reads = 0;
  const source = () => {
    reads += 1;
    const url = `/recording?name=${encodeURIComponent(name)}&read=${reads}`;
    return { url, expiresAt: new Date(Date.now() + lifetime) };
  };
  const { url, expiresAt } = source();
  if (first === undefined) reads = 0;
  const playback = keepPlaying(video, source, {
    initial: first && { url, expiresAt: first === 'fresh' ? expiresAt : undefined },
    margin: 100,
    stallTimeout: 500,
    onEvent: (seen) => events.push('reason' in seen ? `${seen.type} ${seen.reason}` : seen.type),
  });
  playback.play();
  await Promise.race([playUntil(until), sleep(8_000)]);
  const hasPlayed = video.currentTime >= until;
  if (isRenewed) {
    const loaded = event('loadeddata');
    await playback.renew();
    await Promise.race([loaded, sleep(8_000)]);
  }
  playback.stop();
  return { name, hasPlayed, events };
}

async function follow(): Promise<Pick<SeenDownloads, 'cues' | 'afterSeek'>> {
  const index = createCueIndex(Array.from({ length: 50 }, (_, place) => cueFrom(500 + place * 40)));
  const cues: SeenDownloads['cues'] = [];
  video.src = '/recording?name=cues';
  const unfollow = followCues(video, index, (cue) =>
    cues.push({ cue, late: (video.currentTime - index.secondsOf(cue)) * 1_000 }),
  );
  await video.play();
  await playUntil(3);
  video.pause();
  const seeked = event('seeked');
  video.currentTime = 1.31;
  await seeked;
  unfollow();
  return { cues: cues.slice(0, 50), afterSeek: cues.slice(50).map(({ cue }) => cue) };
}

function cueFrom(start: number): { start: number; end: number } {
  return { start, end: start + 40 };
}

const list: Download[] = await (await fetch('/downloads')).json();
const seen: SeenDownloads = { downloads: [], ...(await follow()) };
for (const download of list) seen.downloads.push(await load(download));
await fetch('/seen', { method: 'POST', body: JSON.stringify(seen) });
