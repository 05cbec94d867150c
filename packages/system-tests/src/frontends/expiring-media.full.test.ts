import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { silence } from '../media/viewer/long-recording.ts';
import type { SeenPlayback } from './play-expiring-media.page.ts';
import { browserNames, playInBrowser, sendSlowly } from './play-in-browser.ts';

const BYTES_PER_SECOND = 176_400;
const LIFETIME = 2_000;
const recording = silence(120, BYTES_PER_SECOND);

test.each(browserNames)(
  '%s plays on over media that expire',
  async (browser) => {
    const html = '<video><track default src="/captions.vtt"></video>';
    const page = 'play-expiring-media.page.ts';
    const { steps, ...rest } = await playInBrowser<SeenPlayback>(browser, page, html, serveExpiringMedia());
    expect(rest).toEqual({ back: 0, status: 'ready', events: expect.arrayContaining(['stopped']) });
    const sound = { rate: 1.5, volume: 0.4, muted: true, modes: ['disabled', 'showing'] };
    const quiet = { ...sound, volume: 0.2 };
    const between = (low: number, high: number) => expect.toSatisfy((at: number) => at >= low && at <= high);
    expect(steps).toEqual([
      { step: 'a URL that dies early', reads: 2, ...sound, paused: false, position: between(0, 3) },
      { step: 'two changes', reads: 4, ...sound, paused: false, position: between(1, 10) },
      { step: 'a seek to the start, less volume', reads: 5, ...quiet, paused: false, position: between(0, 1) },
      { step: 'a seek and a pause', reads: 6, ...quiet, paused: true, position: between(30, 34) },
      { step: 'paused over two expiries', reads: 6, ...quiet, paused: true, position: steps[3]?.position },
      { step: 'playing again', reads: 7, ...quiet, paused: false, position: between(steps[4]?.position ?? 0, 35) },
    ]);
  },
  40_000,
);

/** Sends five times as fast as it is played, and ends the connection when the URL expires. */
function serveExpiringMedia() {
  /** Until when each URL that was given out is good. */
  let ends: number[] = [];
  return ({ pathname, searchParams }: URL, request: IncomingMessage, response: ServerResponse): void => {
    const number = Number(searchParams.get('number'));
    const isOver = () => Date.now() >= (ends[number] ?? 0);
    if (pathname === '/sign') {
      const count = ends.push(Date.now() + LIFETIME) - 1;
      response.end(JSON.stringify({ url: `/recording.wav?number=${count}`, end: ends[count] }));
    } else if (pathname === '/kill') {
      ends = ends.map(() => 0);
      response.end();
    } else if (pathname === '/captions.vtt') {
      response.setHeader('content-type', 'text/vtt').end('WEBVTT\n\n00:00.000 --> 00:09.000\nHello\n');
    } else if (isOver()) response.writeHead(403).end();
    else sendSlowly(recording, request, response, { type: 'audio/wav', bytesPerSecond: BYTES_PER_SECOND * 5, isOver });
  };
}
