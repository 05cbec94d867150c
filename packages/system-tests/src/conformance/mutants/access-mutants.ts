import type { RawAnswer, RawRequest } from '../raw-server/change.ts';
import { accounts } from '../raw-server/memories.ts';
import { answering, type Mutant } from './mutant.ts';

const { ada, grace, nobody } = accounts;
const isError = ({ status }: RawAnswer) => status >= 400 && status !== 422;
const isMissing = ({ status, body }: RawAnswer) => status === 401 && detailOf(body).startsWith('Missing');
const isInvalid = ({ status, body }: RawAnswer) => status === 401 && detailOf(body).startsWith('Invalid');
const usesHeader = ({ headers }: RawRequest) => headers['x-api-key'] !== undefined;
const invalid = { status: 401, body: { detail: 'Invalid API key' } };

/** Sections 1, 5 and 7: accounts, keys, errors. */
export const accessMutants: readonly Mutant[] = [
  {
    name: 'user_id in the query opens the list of another account',
    red: ['1.3'],
    change: {
      list: (memories, { query }) =>
        query.get('user_id') === grace.userId
          ? grace.memories.map((memory) => ({ ...memory, transcript: null, user_id: grace.userId }))
          : memories,
    },
  },
  {
    name: 'user_id in the query opens a memory of another account',
    red: ['1.3'],
    change: {
      searched: (account, { query }) => (query.get('user_id') === grace.userId ? [account, grace] : [account]),
    },
  },

  {
    name: 'Bearer is not accepted',
    red: ['5.2'],
    change: answering(
      (_answer, request) => !usesHeader(request) && request.headers.authorization !== undefined,
      invalid,
    ),
  },
  {
    name: 'X-API-Key is not accepted',
    red: ['5.3'],
    change: answering((_answer, request) => usesHeader(request), invalid),
  },
  {
    name: 'X-API-Key is not accepted for a single memory',
    red: ['5.3'],
    change: answering((_answer, request) => usesHeader(request) && !request.isList, invalid),
  },
  {
    name: 'a key in X-API-Key reads another account',
    red: ['5.3'],
    change: { account: (account, _key, request) => (usesHeader(request) && account === ada ? grace : account) },
  },
  {
    name: 'a key in X-API-Key reads an account without memories',
    red: ['5.3'],
    change: { account: (account, _key, request) => (usesHeader(request) && account === ada ? nobody : account) },
  },
  {
    name: 'a key in X-API-Key is forbidden',
    red: ['5.3'],
    change: answering((answer, request) => usesHeader(request) && answer.status === 200, {
      status: 403,
      body: { detail: 'Use Bearer' },
    }),
  },
  {
    name: 'a key in X-API-Key reads another memory',
    red: ['5.3'],
    change: answering(
      (answer, request) => usesHeader(request) && answer.status === 200 && !request.isList,
      ({ body }) => ({ body: { ...(body as object), id: 'mem_100000' } }),
    ),
  },
  {
    name: 'X-API-Key is not looked at',
    red: ['5.3', '5.4 wrong', '5.4 inactive'],
    change: { keys: (keys, request) => (usesHeader(request) ? [] : keys) },
  },

  {
    name: 'a missing key is told in other words',
    red: ['5.4 missing'],
    change: answering(isMissing, { body: { detail: 'Not authenticated' } }),
  },
  {
    name: 'a missing key is called invalid',
    red: ['5.4 missing'],
    change: answering(isMissing, { body: { detail: 'Invalid API key' } }),
  },
  {
    name: 'a single memory needs no key',
    red: ['5.4 missing'],
    change: { account: (account, key, request) => (key === undefined && !request.isList ? ada : account) },
  },
  {
    name: 'the list of ada needs no key',
    red: ['5.4 missing'],
    change: { account: (account, key, request) => (key === undefined && request.isList ? ada : account) },
  },
  {
    name: 'a wrong key is called missing',
    red: ['5.4 wrong', '5.4 inactive'],
    change: answering(isInvalid, { body: { detail: 'Missing API key' } }),
  },
  {
    name: 'a key is compared by its beginning',
    red: ['5.4 wrong'],
    change: { account: (account, key) => account ?? (key?.startsWith(ada.key.slice(0, -1)) ? ada : undefined) },
  },
  {
    name: 'a key in X-API-Key is compared by its beginning',
    red: ['5.4 wrong'],
    change: {
      account: (account, key, request) =>
        account ?? (usesHeader(request) && key?.startsWith(ada.key.slice(0, -1)) ? ada : undefined),
    },
  },
  {
    name: 'a key is compared in lower case',
    red: ['5.4 wrong'],
    change: { account: (account, key) => account ?? (key?.toLowerCase() === ada.key ? ada : undefined) },
  },
  {
    name: 'a key with something behind it is accepted',
    red: ['5.4 wrong'],
    change: { account: (account, key) => account ?? (key?.startsWith(ada.key) ? ada : undefined) },
  },
  {
    name: 'the beginning of a key is accepted in X-API-Key',
    red: ['5.4 wrong'],
    change: {
      account: (account, key, request) =>
        account ?? (usesHeader(request) && key && ada.key.startsWith(key) ? ada : undefined),
    },
  },
  {
    name: 'every X-API-Key is accepted',
    red: ['5.4 wrong', '5.4 inactive'],
    change: { account: (account, _key, request) => account ?? (usesHeader(request) ? ada : undefined) },
  },
  {
    name: 'a wrong key reads nothing instead of being refused',
    red: ['5.4 wrong', '5.4 inactive'],
    change: { account: (account, key) => account ?? (key === undefined ? undefined : nobody) },
  },
  {
    name: 'an inactive key is accepted',
    red: ['5.4 inactive'],
    change: { account: (account, key) => (key === accounts.gone.key ? nobody : account) },
  },
  {
    name: 'an inactive key is accepted in X-API-Key',
    red: ['5.4 inactive'],
    change: {
      account: (account, key, request) => (usesHeader(request) && key === accounts.gone.key ? nobody : account),
    },
  },
  {
    name: 'an inactive key is told in other words',
    red: ['5.4 inactive'],
    change: answering((answer, { headers }) => isInvalid(answer) && String(headers.authorization).includes('gone'), {
      body: { detail: 'Inactive API key' },
    }),
  },
  {
    name: 'two keys read one account',
    red: ['5.5'],
    change: { account: (account) => (account === grace ? ada : account) },
  },
  {
    name: 'the key of another account opens the memories of this one',
    red: ['5.5'],
    change: { searched: (account) => (account === grace ? [grace, ada] : [account]) },
  },
  {
    name: 'every key opens every memory',
    red: ['4.2.2 other account', '5.5'],
    change: { searched: (account) => [account, ada, grace] },
  },

  {
    name: 'errors are text',
    red: ['7'],
    change: answering(isError, ({ headers }) => ({
      headers: { ...headers, 'content-type': 'text/plain' },
      body: 'No.',
    })),
  },
  {
    name: 'errors have a message',
    red: ['7'],
    change: answering(isError, ({ body }) => ({ body: { message: detailOf(body) } })),
  },
  {
    name: 'details are arrays',
    red: ['7'],
    change: answering(isError, ({ body }) => ({ body: { detail: [{ msg: detailOf(body) }] } })),
  },
  { name: 'an error is an array', red: ['7'], change: answering(isError, ({ body }) => ({ body: [body] })) },
  {
    name: 'a zero byte in a path makes the server fail',
    red: ['7 (422)'],
    change: answering((_answer, { path }) => path.includes('%00'), {
      status: 500,
      body: { detail: 'Internal server error' },
    }),
  },
  {
    name: 'a malformed path is a 400',
    red: ['7 (422)'],
    change: answering((_answer, { path }) => path.includes('%zz'), { status: 400 }),
  },
  {
    name: 'a malformed path is a memory',
    red: ['7 (422)'],
    change: answering((_answer, { path }) => path.includes('%ff'), { status: 200, body: ada.memories[1] }),
  },
];

function detailOf(body: unknown): string {
  return String((body as { detail?: unknown }).detail);
}
