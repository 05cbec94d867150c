import { type ScenarioFault, type ScenarioRow, scenariosOf, storedMemory } from './scenario.ts';

/** Bytes of a file in which no part repeats, so that each misplaced byte shows. */
function fileBytes(length: number): Uint8Array {
  let state = 1;
  return Uint8Array.from({ length }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 24;
  });
}

const stored = [
  { ...storedMemory('mem_a'), media: { audio: { content_type: 'audio/wav', bytes: fileBytes(200_000) } } },
];

function mediaRow(
  id: string,
  title: string,
  row: Omit<ScenarioRow, 'id' | 'title' | 'faults'> & { faults?: readonly Omit<ScenarioFault, 'to'>[] },
): ScenarioRow {
  const faults = row.faults?.map((fault) => ({ ...fault, to: 'storage' }) as const) ?? [];
  return { id, title, operation: 'download', stored, ...row, faults };
}

/** The storage sends half of the file. What the client has not read before an end or a reset can be lost. */
function half(by: 'end' | 'reset' | 'stall') {
  return { fault: { stop: { share: 0.5 }, by } } as const;
}

/** The storage sends half of the file, then responds in another way to each request. */
function afterHalf(fault: ScenarioFault['fault']) {
  return { ends: 'either', faults: [half('reset'), { fault, times: 'always' }] } as const;
}

const refusal = { status: 403, style: 'xml' } as const;

const reference = { profile: 'reference', ends: 'data' } as const;

export const media = scenariosOf('media', [
  mediaRow('download', 'a file of 200,000 bytes', { ends: 'data' }),
  mediaRow('media-null', 'a memory without audio', {
    stored: [storedMemory('mem_a')],
    ends: 'error',
    storageRequests: 0,
  }),
  mediaRow('media-403', 'a storage that refuses the URL', {
    faults: [{ fault: refusal, times: 'always' }],
    ends: 'error',
  }),
  mediaRow('media-half', 'half of a file and the end of the connection, then the file', {
    faults: [half('end')],
    ends: 'either',
  }),
  mediaRow('media-changed', 'half of a file and a reset, then another file', afterHalf('changed-object')),
  mediaRow(
    'media-foreign-range',
    'half of a file and a reset, then a range of another file',
    afterHalf('foreign-range'),
  ),
  mediaRow('media-wrong-range', 'half of a file and a reset, then another range', afterHalf('wrong-range')),
  mediaRow('media-no-ranges', 'half of a file and a reset, then a storage without ranges', afterHalf('no-ranges')),
  mediaRow('media-stall', 'half of a file, then silence, then a refusal', {
    faults: [half('stall'), { fault: refusal, times: 'always' }],
    ends: 'error',
  }),
  mediaRow('media-expired', 'a URL that has expired, then the file', {
    ...reference,
    faults: [{ fault: refusal }],
  }),
  mediaRow('media-503-once', 'a storage that is unavailable, then the file', {
    ...reference,
    faults: [{ fault: { status: 503, style: 'xml' } }],
  }),
  // The client has time to read the half.
  mediaRow('media-resume', 'half of a file, then silence, then the rest', {
    ...reference,
    faults: [half('stall')],
    resumes: true,
  }),
  mediaRow('media-failed-file', 'a file whose connection always breaks', {
    profile: 'reference',
    faults: [{ fault: { stop: 'after-head', by: 'reset' }, times: 'always' }],
    ends: 'error',
    leavesNoFile: true,
  }),
]);
