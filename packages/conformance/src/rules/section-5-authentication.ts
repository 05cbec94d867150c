import type { Evidence } from '../conformance-report.ts';
import { listPath, pathOf, type Reader } from '../reading/create-reader.ts';
import { listChange } from '../reading/list-change.ts';
import { idsOf, isAddressable, isObject } from '../reading/memory-value.ts';
import type { ApiRequest, Scheme } from '../session/api-request.ts';
import { SkippedError } from '../session/unanswered.ts';
import { judgeErrors } from './judge-error.ts';
import { evidence, type Rule, type RuleRow, rulesOf } from './rule.ts';

const missingKey = { status: 401, detail: 'Missing API key' };
const invalidKey = { status: 401, detail: 'Invalid API key' };

/** Section 5: authentication. */
export const authenticationRules: readonly Rule[] = rulesOf('5', [
  schemeRule('5.2', 'bearer', 'Authorization: Bearer'),
  schemeRule('5.3', 'x-api-key', 'X-API-Key'),
  {
    id: '5.4 missing',
    title: 'Without a key, both endpoints return 401, "Missing API key"',
    statements: ['4', '5.1', '5.4', '7 (401)', '7.1'],
    check: (reader) => judgeBoth(reader, [{}], missingKey),
  },
  {
    id: '5.4 wrong',
    title: 'With a wrong key in either header, both endpoints return 401, "Invalid API key"',
    statements: ['5.4', '7 (401)', '7.1'],
    check: judgeWrongKeys,
  },
  {
    id: '5.4 inactive',
    title: 'With an inactive key in either header, both endpoints return 401, "Invalid API key"',
    statements: ['5.4', '7 (401)', '7.1'],
    needs: ['inactiveApiKey'],
    check: (reader) => judgeBoth(reader, inBothSchemes('inactiveApiKey'), invalidKey),
  },
  {
    id: '5.5',
    title: 'The key determines the account: two accounts share no memory',
    statements: ['1.3', '4.1.1', '5.5'],
    needs: ['otherAccountApiKey'],
    check: compareAccounts,
  },
]);

function schemeRule(id: string, scheme: Scheme, header: string): RuleRow {
  return {
    id,
    title: `A key in the header ${header} gives access to its account`,
    async check(reader) {
      // Throws if the server accepts the key in neither header.
      const before = await reader.list();
      const listed = await reader.send({ target: listPath, key: 'apiKey', scheme });
      if (listed.status !== 200) return evidence(listed, 'the same response as with the key in the other header');
      if (listChange(listed, before.answer, before.answer)) {
        const after = await reader.send({ target: listPath, key: 'apiKey', again: 1, onlyIds: true });
        const change = listChange(listed, before.answer, after);
        if (change !== undefined)
          return evidence(
            listed,
            `the same ${before.memories.length} memories as with the key in the other header`,
            change,
          );
      }
      const [memory] = (await reader.sample()).processed;
      return memory && compareHeaders(reader, pathOf(memory.id), scheme);
    },
  };
}

async function compareHeaders(reader: Reader, target: string, scheme: Scheme): Promise<Evidence | undefined> {
  const usual = await reader.send({ target, key: 'apiKey' });
  const answer = await reader.send({ target, key: 'apiKey', scheme });
  const ids = [usual, answer].map(({ json }) => (isObject(json) ? json.id : undefined));
  if (usual.status !== 200 || (answer.status === 200 && ids[0] === ids[1])) return undefined;
  return evidence(answer, 'the same memory as with the key in the other header');
}

/** Checks a made-up key in every header, and keys similar to the real one as far as the request limit allows. */
async function judgeWrongKeys(reader: Reader): Promise<Evidence | undefined> {
  const found = await judgeBoth(reader, inBothSchemes('wrong'), invalidKey);
  if (found) return found;
  const path = await reader.somePath();
  const requests = (['nearly', 'otherCase', 'longer', 'shorter'] as const)
    .filter(reader.hasKey)
    .flatMap((key): ApiRequest[] => [
      { target: listPath, key, scheme: 'bearer' },
      { target: path, key, scheme: 'x-api-key' },
    ]);
  return judgeErrors(reader, requests, invalidKey);
}

function inBothSchemes(key: NonNullable<ApiRequest['key']>): Pick<ApiRequest, 'key' | 'scheme'>[] {
  return [
    { key, scheme: 'bearer' },
    { key, scheme: 'x-api-key' },
  ];
}

/** Sends each request to the list and to the detail endpoint. */
async function judgeBoth(
  reader: Reader,
  requests: readonly Omit<ApiRequest, 'target'>[],
  expected: typeof invalidKey,
): Promise<Evidence | undefined> {
  const path = await reader.somePath();
  const all = requests.flatMap((request) => [listPath, path].map((target) => ({ target, ...request })));
  return judgeErrors(reader, all, expected);
}

async function compareAccounts(reader: Reader): Promise<Evidence | undefined> {
  const [own, other] = [await reader.list(), await reader.list('otherAccountApiKey')];
  const [ownIds, otherIds] = [idsOf(own.memories), idsOf(other.memories)];
  const [mine, theirs] = [own, other].map(({ memories }) => memories.find(isAddressable)?.id);
  if (mine === undefined || theirs === undefined) throw new SkippedError('one of the two accounts lists no memories');
  const expected = 'memories of another account (the two keys must belong to two accounts)';
  const shared = [...otherIds].filter((id) => ownIds.has(id)).length;
  if (shared > 0) return evidence(other.answer, expected, `${shared} memories of the first account`);
  const owner = own.memories[0]?.user_id;
  if (typeof owner === 'string' && owner === other.memories[0]?.user_id) {
    return evidence(other.answer, expected, 'memories with the user_id of the first account');
  }
  const foreignRequests = [
    { target: pathOf(theirs), key: 'apiKey' },
    { target: pathOf(mine), key: 'otherAccountApiKey' },
  ] as const;
  for (const request of foreignRequests) {
    const answer = await reader.send(request);
    if (answer.status === 200) return evidence(answer, 'no memory: another account owns it');
  }
  return undefined;
}
