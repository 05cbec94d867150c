import { MemoryClient } from '@memory-read/client';
import { createMemoryMock, type Fault } from '@memory-read/msw';
import { setupServer } from 'msw/node';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

const mock = createMemoryMock();
const server = setupServer(...mock.handlers);
beforeAll(() => server.listen());
afterAll(() => server.close());

// The project msw-2 runs this file with the older major version of MSW.
test.each<[Fault[], asked: (number | null | undefined)[], reason?: string]>([
  [['cut'], [200, 206]],
  [
    ['cut', 'cut', 'cut'],
    [200, 206, 206, 206],
  ],
  [['cut', 'no-ranges'], [200, 200], 'not_resumable'],
  [['no-ranges'], [200]],
  [[{ status: 403 }], [403, 200]],
  [[{ status: 403 }, { status: 403 }], [403, 403], 'refused'],
  [
    [{ status: 503, style: 'xml' }, 'network-error'],
    [503, null, 200],
  ],
  [[{ status: 418 }], [418], 'refused'],
  [
    ['stall', { delay: 1 }],
    [null, 200],
  ],
])('a download with the faults %j sends the requests %j', async (faults, asked, reason) => {
  mock.reset();
  // The client waits for a random part of its pause.
  vi.spyOn(Math, 'random').mockReturnValue(0);
  const { id } = mock.memories.add();
  const client = new MemoryClient({ baseUrl: mock.baseUrl, apiKey: mock.apiKey });
  const whole = new Uint8Array(await new Response((await client.openMedia(id, 'audio')).body).arrayBuffer());
  const before = mock.requests.length;
  for (const fault of faults) mock.faults.next(fault, { match: { media: 'audio', memoryId: id } });
  const download = async () => {
    const { body } = await client.openMedia(id, 'audio', { headersTimeout: 250 });
    return new Uint8Array(await new Response(body).arrayBuffer());
  };
  if (reason === undefined) expect(await download()).toEqual(whole);
  else await expect(download()).rejects.toMatchObject({ code: 'media_download', reason });
  const sent = mock.requests.slice(before).filter(({ operation }) => operation === 'media');
  expect(sent.map(({ status }) => status)).toEqual(asked);
  // Only a request that resumes names a range, and none sends the key.
  expect(sent.map(({ headers, auth }) => [auth, 'range' in headers])).toEqual(
    sent.map((_, index) => ['none', faults[0] === 'cut' && index > 0]),
  );
});
