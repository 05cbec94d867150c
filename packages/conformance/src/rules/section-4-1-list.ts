import { keyRefused, listPath, type MemoryList, type Reader } from '../reading/create-reader.ts';
import { listChange } from '../reading/list-change.ts';
import { isObject } from '../reading/memory-value.ts';
import { toInstant } from '../reading/to-instant.ts';
import { SkippedError } from '../session/unanswered.ts';
import { evidence, type Rule, rulesOf } from './rule.ts';

/** Section 4.1: the list. */
export const listRules: readonly Rule[] = rulesOf('4.1', [
  {
    id: '4.1 Success',
    title: 'GET /v1/memories returns 200 and a JSON array of objects',
    statements: ['1.1', '4.1 Method and path', '4.1 Success', '9.1'],
    async check(reader) {
      const answer = await reader.send({ target: listPath, key: 'apiKey' });
      if (answer.status === 401) throw new SkippedError(keyRefused);
      const expected = '200 with a JSON array of memories';
      if (answer.status !== 200 || !Array.isArray(answer.json)) return evidence(answer, expected);
      const index = answer.json.findIndex((memory) => !isObject(memory));
      return index === -1 ? undefined : evidence(answer, expected, `[${index}] is not an object`);
    },
  },
  {
    id: '4.1 Query parameters',
    title: 'Query parameters do not change the list',
    statements: ['4.1 Query parameters', '8 Query parameters on list'],
    async check(reader) {
      const before = await reader.list();
      if (before.memories.length === 0) throw new SkippedError('the account has no memories');
      const answer = await reader.send({ target: `${listPath}${queryProbe}`, key: 'apiKey', onlyIds: true });
      // A server may reject parameters instead of ignoring them.
      if (answer.status !== 200 || !listChange(answer, before.answer, before.answer)) return undefined;
      const after = await reader.send({ target: listPath, key: 'apiKey', again: 1, onlyIds: true });
      const change = listChange(answer, before.answer, after);
      return change === undefined ? undefined : evidence(answer, `the same ${before.memories.length} memories`, change);
    },
  },
  {
    id: '4.1 Errors',
    title: 'The list endpoint returns no errors except 401 and 500',
    statements: ['4.1 Errors', '7.1'],
    async check(reader) {
      const keys = ['apiKey', undefined, 'wrong'] as const;
      for (const key of keys) {
        const answer = await reader.send({ target: listPath, key });
        if (![200, 401, 500].includes(answer.status)) return evidence(answer, '200, 401 or 500');
      }
      return undefined;
    },
  },
  {
    id: '4.1.1',
    title: 'The list contains memories of one account only',
    async check(reader) {
      const { answer, memories } = await needMemories(reader);
      const owners = memories.map(({ user_id }) => user_id);
      const first = owners.find((owner) => owner !== undefined);
      const index = owners.findIndex((owner) => owner !== undefined && owner !== first);
      return index === -1 ? undefined : evidence(answer, 'one user_id', `[${index}].user_id is different`);
    },
  },
  {
    id: '4.1.2',
    title: 'The list is sorted by started_at, newest first',
    async check(reader) {
      const { answer, memories } = await needMemories(reader);
      const starts = memories.map(({ started_at }) => toInstant(started_at)).filter((start) => start !== undefined);
      if (new Set(starts).size < 2) throw new SkippedError('no two memories in the list started at different times');
      const index = starts.findIndex((start, position) => start > (starts[position - 1] ?? Number.POSITIVE_INFINITY));
      if (index === -1) return undefined;
      return evidence(answer, 'the newest memory first', `the memory at ${index} is newer than the previous one`);
    },
  },
  {
    id: '4.1.3',
    title: 'Every transcript in the list is null',
    statements: ['2.1 transcript', '4.1.3'],
    async check(reader) {
      const { answer, memories } = await needMemories(reader);
      const index = memories.findIndex(({ transcript }) => transcript !== null && transcript !== undefined);
      return index === -1 ? undefined : evidence(answer, 'null', `[${index}].transcript is not null`);
    },
  },
  {
    id: '4.1.4',
    title: 'For an account without memories, the list is a 200 with an empty array',
    needs: ['emptyAccountApiKey'],
    async check(reader) {
      // If no list can be read, rule 4.1 Success fails.
      await reader.list();
      const answer = await reader.send({ target: listPath, key: 'emptyAccountApiKey' });
      const isEmpty = Array.isArray(answer.json) && answer.json.length === 0;
      return answer.status === 200 && isEmpty ? undefined : evidence(answer, '200 with []');
    },
  },
]);

/** Common parameters, each with a value that would change the list if the server applied it. */
const queryProbe = `?${[
  ...['limit', 'per_page', 'page_size', 'pageSize', 'size', 'count', 'take', 'first', 'offset', 'skip'].map(
    (name) => `${name}=1`,
  ),
  'page=2',
  ...['cursor', 'starting_after', 'after', 'q', 'search'].map((name) => `${name}=none`),
  ...['since', 'from', 'started_after'].map((name) => `${name}=2999-01-01T00:00:00Z`),
  'order=asc',
  'sort=started_at',
  'is_processing=true',
].join('&')}`;

async function needMemories(reader: Reader): Promise<MemoryList> {
  const list = await reader.list();
  if (list.memories.length === 0) throw new SkippedError('the account has no memories');
  return list;
}
