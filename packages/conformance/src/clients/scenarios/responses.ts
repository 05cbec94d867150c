import { chunksOf, listedJson } from './response-text.ts';
import { type ScenarioRow, scenariosOf, storedMemory, threeMemories } from './scenario.ts';

/** Fields that every memory of a response has, in place of or beside the known ones. */
function withFields(fields: Record<string, unknown>) {
  return {
    operation: 'get',
    ends: 'data',
    faults: [{ fault: { fields }, times: 'always' }],
  } satisfies Partial<ScenarioRow>;
}

/** Characters of four bytes at each offset, so that pieces of up to 160 bytes cut some of them. */
const wideId = [0, 1, 2, 3].map((offset) => `${offset}${'\u{1f600}'.repeat(40)}`).join('');

const chunkedHead = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n';
const chunkedBody = `[${threeMemories.map(listedJson).join(',\n')}]`;

export const responses = scenariosOf('responses', [
  {
    id: 'unknown-fields',
    title: 'a memory with fields that the specification does not have',
    ...withFields({ location: { city: 'Graz', at: [47.07, 15.44] }, tags: ['a'], rating: null }),
  },
  {
    id: 'null-fields',
    title: 'a memory without media, transcript and summary',
    operation: 'get',
    stored: [{ ...storedMemory('mem_a'), transcript: null, summary: null }],
    ends: 'data',
  },
  {
    id: 'processing',
    title: 'a memory that is being processed',
    operation: 'get',
    stored: [{ ...storedMemory('mem_a'), is_processing: true, transcript: null, summary: null }],
    ends: 'data',
  },
  {
    id: 'date-offset',
    title: 'times with an offset from UTC',
    ...withFields({ started_at: '2026-03-01T01:30:00+05:30', ended_at: '2026-02-28T15:01:00-05:00' }),
  },
  {
    id: 'date-fraction',
    title: 'times with fractions of a second',
    ...withFields({ started_at: '2026-03-01T12:00:00.250Z', ended_at: '2026-03-01T12:01:00.750Z' }),
  },
  {
    id: 'slow-utf8',
    title: 'a slow body whose pieces cut characters',
    stored: [{ ...storedMemory(wideId), name: 'Slow', transcript: null, summary: null }],
    faults: [{ fault: { bytesPerSecond: 3_000 }, times: 'always' }],
    ends: 'data',
  },
  {
    id: 'chunked',
    title: 'a chunked body that arrives in pieces',
    faults: [
      {
        fault: { steps: [chunkedHead, ...chunksOf(chunkedBody, 100).flatMap((chunk) => [chunk, { wait: 10 }])] },
        times: 'always',
      },
    ],
    ends: 'data',
  },
]);
