import type { IncomingMessage, ServerResponse } from 'node:http';
import { sampleMedia } from '@memory-read/fixtures';
import { expect, test } from 'vitest';
import { silence } from '../media/viewer/long-recording.ts';
import type { Download, SeenDownloads } from './play-downloads.page.ts';
import { browserNames, playInBrowser, type Sending, sendSlowly } from './play-in-browser.ts';

const BYTES_PER_SECOND = 176_400;
const sound = silence(60, BYTES_PER_SECOND);
const slow: Sent = [
  growFirstFrame(sampleMedia('video').bytes, 400_000),
  { type: 'video/webm', bytesPerSecond: 200_000 },
];
const steady: Sent = [sound, { type: 'audio/wav', bytesPerSecond: BYTES_PER_SECOND * 5 }];
const start = ['renewing start', 'renewed start'];

type Sent = [bytes: Uint8Array, how: Sending];

/** A download, what the server sends to its first URL and to later ones, and the events that the page must see. */
interface Row extends Download {
  sent: Sent;
  later?: Sent;
  events: string[];
}

const rows: Row[] = [
  { name: 'slow first frame, the URL is read', until: 0.5, sent: slow, events: start },
  { name: 'slow first frame, the page has the URL', until: 0.5, first: 'fresh', sent: slow, events: [] },
  { name: 'slow first frame, a URL of unknown age', until: 0.5, first: 'of unknown age', sent: slow, events: [] },
  { name: 'slow first frame, the URL expires', until: 0.5, lifetime: 1_000, sent: slow, events: start },
  {
    name: 'slower than it plays, a URL of unknown age',
    until: 1,
    first: 'of unknown age',
    sent: [sound, { type: 'audio/wav', bytesPerSecond: BYTES_PER_SECOND / 2 }],
    events: [],
  },
  {
    name: 'no data',
    until: 0.5,
    first: 'of unknown age',
    sent: [sound, { type: 'audio/wav', bytesPerSecond: 0 }],
    later: steady,
    events: ['renewing stalled', 'renewed stalled'],
  },
  {
    name: 'no data in mid-play',
    until: 3,
    first: 'of unknown age',
    sent: [sound, { type: 'audio/wav', bytesPerSecond: BYTES_PER_SECOND * 5, stopsAt: BYTES_PER_SECOND * 2 }],
    later: steady,
    events: ['renewing stalled', 'renewed stalled'],
  },
  {
    name: 'no byte ranges',
    until: 2,
    lifetime: 1_000,
    isRenewed: true,
    sent: [sound, { ...steady[1], hasRanges: false }],
    events: [...start, 'renewing requested', 'renewed requested', 'restarted'],
  },
  {
    name: 'no byte ranges and no length',
    until: 2,
    lifetime: 1_000,
    sent: [sound, { ...steady[1], hasRanges: false, hasLength: false }],
    events: start,
  },
];

test.each(browserNames)(
  '%s loads what arrives, and reports each cue',
  async (browser) => {
    const requests: Record<string, number> = {};
    const respond = ({ pathname, searchParams }: URL, request: IncomingMessage, response: ServerResponse) => {
      if (pathname === '/downloads')
        return response.end(
          JSON.stringify(rows, (key, value) => (key === 'sent' || key === 'later' ? undefined : value)),
        );
      const name = searchParams.get('name') ?? '';
      const { sent, later = sent } = rows.find((row) => row.name === name) ?? { sent: steady };
      const isLater = name in requests;
      requests[name] = (requests[name] ?? 0) + 1;
      const [bytes, how] = isLater ? later : sent;
      return sendSlowly(bytes, request, response, how);
    };
    const { downloads, cues, afterSeek } = await playInBrowser<SeenDownloads>(
      browser,
      'play-downloads.page.ts',
      '<video></video>',
      respond,
    );
    expect(downloads).toEqual(
      rows.map(({ name, events }) => ({ name, hasPlayed: true, events: [...events, 'stopped'] })),
    );
    for (const { name } of rows.slice(0, 5)) expect.soft([name, requests[name]]).toEqual([name, 1]);
    expect(cues.map(({ cue }) => cue)).toEqual(Array.from({ length: 50 }, (_, place) => place));
    const late = cues.map((cue) => cue.late).sort((a, b) => a - b);
    expect(late[25]).toBeLessThan(40);
    expect(afterSeek).toEqual([20]);
  },
  90_000,
);

/** Adds bytes to the first picture of a WebM file, which a decoder does not read. */
function growFirstFrame(webm: Uint8Array, count: number): Uint8Array {
  const bytes = Buffer.from(webm);
  const cluster = bytes.indexOf('1f43b675', 0, 'hex');
  const block = bytes.indexOf('a310', cluster, 'hex');
  const end = block + 5 + (bytes.readUInt32BE(block + 1) & 0x0fff_ffff);
  for (const size of [bytes.indexOf('18538067', 0, 'hex') + 4, cluster + 4, block + 1])
    bytes.writeUInt32BE(bytes.readUInt32BE(size) + count, size);
  return Buffer.concat([bytes.subarray(0, end), Buffer.alloc(count), bytes.subarray(end)]);
}
