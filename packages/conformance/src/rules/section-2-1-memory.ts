import type { Evidence } from '../conformance-report.ts';
import type { Reader, ReadMemory } from '../reading/create-reader.ts';
import type { MediaField } from '../reading/media-fields.ts';
import { mediaUrlExpiry } from '../reading/media-url-expiry.ts';
import { anyMedia, mediaUrls } from '../reading/media-urls.ts';
import { SkippedError } from '../session/unanswered.ts';
import { checkSignature } from './check-signature.ts';
import { evidenceOf, type Finding, type Rule, type RuleRow, rulesOf } from './rule.ts';

/** Section 2.1: the memory object. */
export const memoryRules: readonly Rule[] = rulesOf('2.1', [
  {
    id: '2.1',
    title: 'Every memory has all twelve fields; a field without a value is null',
    statements: ['1.2', '2.1'],
    check: (reader) => structureEvidence(reader, '2.1', 'all twelve fields of section 2.1'),
  },
  {
    id: '2.1 id',
    title: 'id is a string, and every memory has a different one',
    async check(reader) {
      const broken = await structureEvidence(reader, '2.1 id', 'a string');
      return broken ?? evidenceOf(repeatedIds(await reader.memories()), 'unique ids');
    },
  },
  fieldRule('name', 'a string'),
  fieldRule('started_at', 'an ISO 8601 date-time'),
  fieldRule('ended_at', 'an ISO 8601 date-time'),
  { ...fieldRule('is_processing', 'a boolean'), statements: ['2.1 is_processing', '3'] },
  fieldRule('user_id', 'a string'),
  fieldRule('duration_seconds', 'an integer'),
  fieldRule('audio_url', 'a URI or null'),
  fieldRule('video_url', 'a URI or null'),
  fieldRule('preview_image_url', 'a URI or null'),
  fieldRule('transcript', 'an object or null'),
  fieldRule('summary', 'an object or null'),
  mediaRule('audio_url', 'audio'),
  mediaRule('video_url', 'video'),
  mediaRule('preview_image_url', 'preview image'),
  {
    id: '2.1.1 lifetime',
    title: 'A media URL expires one hour after the response that it is in',
    statements: ['2.1.1', '8 Lifetime of signed media URLs'],
    check: checkLifetimes,
  },
  {
    id: '2.1.1 signed',
    title: 'A media URL without its signature does not open the file',
    statements: ['2.1.1'],
    needs: ['media'],
    check: checkSignature,
  },
]);

/** Returns the evidence of all memories that break one statement by their structure. */
export async function structureEvidence(
  reader: Reader,
  statement: string,
  expected: string,
): Promise<Evidence | undefined> {
  const findings = (await reader.memories()).flatMap((at) =>
    at.issues.filter((issue) => issue.statement === statement).map(({ text }) => ({ at, text })),
  );
  return evidenceOf(findings, expected);
}

function fieldRule(field: string, type: string): RuleRow {
  return {
    id: `2.1 ${field}`,
    title: `${field} is ${type}`,
    async check(reader) {
      const hasField = (await reader.memories()).some(({ memory }) => Object.hasOwn(memory, field));
      if (!hasField) throw new SkippedError(`no memory has ${field} (see 2.1)`);
      return structureEvidence(reader, `2.1 ${field}`, type);
    },
  };
}

function mediaRule(field: MediaField, kind: string): RuleRow {
  return {
    id: `2.1 ${field} reachable`,
    title: `${field} opens the ${kind}`,
    statements: [`2.1 ${field}`],
    needs: ['media'],
    async check(reader) {
      const { at, url } = await anyMedia(reader, field);
      const what = `${at.place}${field} of ${at.answer.sent}`;
      const status = await reader.requestMedia(url, what);
      if (status >= 300 && status < 400)
        throw new SkippedError('the URL redirects, and a run does not follow redirects');
      // A 416 means that the file is empty and has no first byte.
      const isReached = status === 0 || (status >= 200 && status < 300) || status === 416;
      return isReached ? undefined : { sent: `GET ${what}`, received: String(status), expected: '200 or 206' };
    },
  };
}

const hourMs = 3_600_000;
// The Date header has whole seconds, and a server may sign some time before it responds.
const toleranceMs = 60_000;

async function checkLifetimes(reader: Reader): Promise<Evidence | undefined> {
  const expiries = mediaUrls(await reader.memories()).flatMap(({ at, field, url }) => {
    const expiry = mediaUrlExpiry(url);
    return expiry === undefined ? [] : [{ at, field, expiry }];
  });
  if (expiries.length === 0) throw new SkippedError('no media URL states its expiry in a known form');
  const lifetimes = expiries
    .map(({ at, field, expiry }) => ({ at, field, lifetime: expiry - Date.parse(at.answer.headers.get('date') ?? '') }))
    .filter(({ lifetime }) => !Number.isNaN(lifetime));
  if (lifetimes.length === 0) throw new SkippedError('no response with a media URL has a Date header');
  const findings = lifetimes
    .filter(({ lifetime }) => Math.abs(lifetime - hourMs) > toleranceMs)
    .map(({ at, field, lifetime }) => ({ at, text: `${field} expires ${lifetime / 1000} s after its response` }));
  return evidenceOf(findings, '3600 s, with a tolerance of one minute');
}

function repeatedIds(memories: readonly ReadMemory[]): Finding[] {
  const seen = new Set<unknown>();
  const listed = memories.filter(({ place, memory }) => place !== '' && typeof memory.id === 'string');
  return listed
    .filter(({ memory: { id } }) => seen.has(id) || !seen.add(id))
    .map((at) => ({ at, text: 'id is not unique' }));
}
