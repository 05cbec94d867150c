import type { Evidence } from '../conformance-report.ts';
import { listPath, type Reader } from '../reading/create-reader.ts';
import { anyMedia } from '../reading/media-urls.ts';
import { isAddressable, segmentsOf } from '../reading/memory-value.ts';
import { toInstant } from '../reading/to-instant.ts';
import type { Answer } from '../session/answer.ts';
import type { ApiRequest } from '../session/api-request.ts';
import { SkippedError } from '../session/unanswered.ts';
import { withForgedSignature } from './check-signature.ts';
import { hasDetail, judgeError, judgeErrors } from './judge-error.ts';
import { evidence, evidenceOf, type Rule, type RuleRow, rulesOf } from './rule.ts';

const missingKey = { status: 401, detail: 'Missing API key' };
const invalidKey = { status: 401, detail: 'Invalid API key' };
const notFound = { status: 404, detail: 'Not Found' };

/** Decisions of the reference server where the specification is silent. Ids begin with the page in docs/decisions. */
export const referenceRules: readonly Rule[] = [
  ...decisionsOf('2.1', [
    {
      id: 'stored-text-and-dates',
      title: 'Date-times are in UTC with milliseconds',
      async check(reader) {
        const findings = (await reader.memories()).flatMap((at) =>
          [
            at.memory.started_at,
            at.memory.ended_at,
            ...segmentsOf(at.memory).flatMap((each) => [each.start_at, each.end_at]),
          ]
            .filter((text) => typeof text !== 'string' || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text))
            .map(() => ({ at, text: 'a date-time has a different form' })),
        );
        return evidenceOf(findings, 'YYYY-MM-DDTHH:mm:ss.sssZ');
      },
    },
    {
      id: 'media-url-expiry',
      title: 'A media URL with another signature is a 403',
      needs: ['media'],
      async check(reader) {
        const { at, url, field } = await anyMedia(reader);
        const forged = withForgedSignature(new URL(url));
        if (forged === undefined) throw new SkippedError('media URLs have no signature that can be changed');
        const what = `${at.place}${field} of ${at.answer.sent}, with another signature`;
        const status = await reader.requestMedia(forged.href, what);
        return status === 403 ? undefined : { sent: `GET ${what}`, received: String(status), expected: '403' };
      },
    },
    {
      id: 'ids-and-paths',
      title:
        'An id of more than 256 code points or with a control character, and a wrong escape, are a 422 with a detail',
      async check(reader) {
        for (const id of ['%zz', '%00', '%7f', '%ff', 'a'.repeat(257)]) {
          const answer = await reader.send({ target: `${listPath}/${id}`, key: 'apiKey' });
          if (answer.status !== 422 || !hasDetail(answer)) return evidence(answer, '422 with {"detail": string}');
        }
        return undefined;
      },
    },
  ]),
  ...decisionsOf('4', [
    {
      id: 'order-of-checks',
      title: 'An unknown path is reported before a missing key, and a missing key before a malformed id',
      async check(reader) {
        const unknown = judgeError(await reader.send({ target: '/v1/nothing' }), notFound.status, notFound.detail);
        return unknown ?? judgeErrors(reader, [{ target: `${listPath}/%zz` }], missingKey);
      },
    },
    {
      id: 'requests-that-only-look head',
      title: 'HEAD returns the response of GET without its body',
      async check(reader) {
        const answer = await reader.send({ target: listPath, method: 'HEAD', key: 'apiKey' });
        return answer.status === 200 && answer.isEmpty ? undefined : evidence(answer, '200 without a body');
      },
    },
    {
      id: 'requests-that-only-look options',
      title: 'OPTIONS is a 405 with Allow: GET, HEAD',
      async check(reader) {
        const answer = await reader.send({ target: listPath, method: 'OPTIONS' });
        const isRefused = answer.status === 405 && answer.headers.get('allow') === 'GET, HEAD';
        return isRefused ? undefined : evidence(answer, '405 with Allow: GET, HEAD');
      },
    },
    {
      id: 'requests-that-only-look query',
      title: 'The list endpoint ignores query parameters',
      async check(reader) {
        const answer = await reader.send({ target: `${listPath}?limit=1`, key: 'apiKey', onlyIds: true });
        const { memories } = await reader.list();
        const isWhole = Array.isArray(answer.json) && answer.json.length === memories.length;
        return answer.status === 200 && isWhole ? undefined : evidence(answer, `200 with ${memories.length} memories`);
      },
    },
    {
      id: 'requests-that-only-look slash',
      title: 'A path with a trailing slash is unknown',
      check: (reader) => judgeErrors(reader, [{ target: `${listPath}/`, key: 'apiKey' }], notFound),
    },
  ]),
  ...decisionsOf('4.1', [
    {
      id: 'ordering',
      title: 'Memories that started at the same time are sorted by id, descending by UTF-8 bytes',
      async check(reader) {
        const { answer, memories } = await reader.list();
        const index = memories.findIndex((memory, position) => {
          const before = memories[position - 1];
          const isTie = before !== undefined && toInstant(before.started_at) === toInstant(memory.started_at);
          return isTie && isAddressable(before) && isAddressable(memory) && compareBytes(before.id, memory.id) < 0;
        });
        return index === -1 ? undefined : evidence(answer, 'the greater id first', `[${index - 1}] and [${index}]`);
      },
    },
    {
      id: 'paging',
      title: 'The list is complete: no pagination with a Link header',
      async check(reader) {
        const { answer } = await reader.list();
        return answer.headers.has('link') ? evidence(answer, 'no Link header', 'a Link header') : undefined;
      },
    },
  ]),
  ...decisionsOf('5', [
    {
      id: 'api-keys two',
      title: 'Two different keys in one request are a 401, "Invalid API key"; the same key twice is accepted',
      async check(reader) {
        const twice = { Authorization: 'Bearer {apiKey}', 'X-API-Key': '{apiKey}' };
        const same = await reader.send({ target: listPath, headers: twice, onlyIds: true });
        if (same.status !== 200) return evidence(same, '200');
        const headers = [
          { Authorization: 'Bearer {apiKey}', 'X-API-Key': '{wrong}' },
          { Authorization: 'Bearer {wrong}', 'X-API-Key': '{apiKey}' },
        ];
        return judgeErrors(
          reader,
          headers.map((each) => ({ target: listPath, headers: each })),
          invalidKey,
        );
      },
    },
    {
      id: 'api-keys empty',
      title: 'An empty Bearer or another scheme counts as a missing key: 401, "Missing API key"',
      check: (reader) =>
        judgeErrors(
          reader,
          ['Bearer', 'Basic YTpi'].map((Authorization) => ({ target: listPath, headers: { Authorization } })),
          missingKey,
        ),
    },
    {
      id: 'api-keys case',
      title: 'The scheme Bearer is case-insensitive',
      async check(reader) {
        const answer = await reader.send({
          target: listPath,
          headers: { Authorization: 'bEARER {apiKey}' },
          onlyIds: true,
        });
        return answer.status === 200 ? undefined : evidence(answer, '200');
      },
    },
  ]),
  ...decisionsOf('7', [
    headerRule('request-id', 'Every response has an X-Request-Id', {
      name: 'X-Request-Id',
      value: /\S/,
      expected: 'X-Request-Id with a value',
    }),
    headerRule('content-type', 'Every body has the Content-Type application/json', {
      name: 'Content-Type',
      value: /^application\/json(; charset=utf-8)?$/i,
      expected: 'Content-Type: application/json',
    }),
    headerRule('nosniff', 'Every response has X-Content-Type-Options: nosniff', {
      name: 'X-Content-Type-Options',
      value: /^nosniff$/,
      expected: 'X-Content-Type-Options: nosniff',
    }),
    headerRule('cache', 'No response can be cached: Cache-Control: private, no-store', {
      name: 'Cache-Control',
      value: /^private, no-store$/,
      expected: 'Cache-Control: private, no-store',
    }),
    {
      id: 'response-headers-and-caching trace',
      title: 'The response repeats a valid X-Request-Id of the request',
      async check(reader) {
        const answer = await reader.send({ target: listPath, headers: { 'X-Request-Id': 'conformance-1' } });
        const isKept = answer.headers.get('x-request-id') === 'conformance-1';
        return isKept ? undefined : evidence(answer, 'X-Request-Id: conformance-1', 'a different X-Request-Id or none');
      },
    },
    {
      id: 'response-headers-and-caching bearer',
      title: 'A 401 has WWW-Authenticate: Bearer',
      async check(reader) {
        const answer = await reader.send({ target: listPath });
        const asks = answer.headers.get('www-authenticate') === 'Bearer';
        return asks ? undefined : evidence(answer, 'WWW-Authenticate: Bearer', 'a different WWW-Authenticate or none');
      },
    },
  ]),
];

function decisionsOf(section: string, rows: readonly RuleRow[]): Rule[] {
  return rulesOf(section, rows).map((rule) => ({ ...rule, statements: [], profile: 'reference' }));
}

interface ExpectedHeader {
  name: string;
  value: RegExp;
  /** The value in words. */
  expected: string;
}

function headerRule(aspect: string, title: string, header: ExpectedHeader): RuleRow {
  return {
    id: `response-headers-and-caching ${aspect}`,
    title,
    async check(reader) {
      for (const answer of await someAnswers(reader)) {
        const found = headerEvidence(answer, header);
        if (found) return found;
      }
      return undefined;
    },
  };
}

/** Returns one response of each kind: a list, a 401, an unknown memory and an unknown path. */
async function someAnswers(reader: Reader): Promise<Answer[]> {
  const requests: ApiRequest[] = [
    { target: listPath, key: 'apiKey' },
    { target: listPath },
    { target: (await reader.unknownPaths())[0], key: 'apiKey' },
    { target: '/v1/nothing' },
  ];
  const answers: Answer[] = [];
  for (const request of requests) answers.push(await reader.send(request));
  return answers;
}

function headerEvidence(answer: Answer, { name, value, expected }: ExpectedHeader): Evidence | undefined {
  const received = answer.headers.get(name);
  if (value.test(received ?? '')) return undefined;
  return evidence(answer, expected, received === null ? `no ${name}` : `${name}: ${received}`);
}

function compareBytes(one: string, other: string): number {
  const [ours, theirs] = [new TextEncoder().encode(one), new TextEncoder().encode(other)];
  const index = ours.findIndex((byte, position) => byte !== theirs[position]);
  return index === -1 ? ours.length - theirs.length : (ours[index] ?? 0) - (theirs[index] ?? -1);
}
