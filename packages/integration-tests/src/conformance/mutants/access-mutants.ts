import type { Change, RawAnswer, RawRequest } from '../raw-server/change.ts';
import { accounts, type RawAccount } from '../raw-server/memories.ts';
import { answering, breaking, detailOf, isRefused, type Mutant, saying, withHeader } from './mutant.ts';

const { ada, grace, nobody, gone } = accounts;
const beginning = ada.key.slice(0, -1);
const isError = ({ status }: RawAnswer) => status >= 400 && status !== 422;
const isMissing = isRefused('Missing API key');
const isInvalid = isRefused('Invalid API key');
const usesHeader = ({ headers }: RawRequest) => headers['x-api-key'] !== undefined;
const isAdaByHeader = (account: RawAccount | undefined, _key: string, request: RawRequest) =>
  account === ada && usesHeader(request);
const opensByHeader = ({ status }: RawAnswer, request: RawRequest) => usesHeader(request) && status === 200;
const invalid = saying(401, 'Invalid API key');

/** Reads this account if the condition holds. Without a key in the request, the key is empty. */
function reading(
  read: RawAccount,
  isRead: (account: RawAccount | undefined, key: string, request: RawRequest) => boolean,
): Change {
  return { account: (account, key = '', request) => (isRead(account, key, request) ? read : account) };
}

/** Accepts further keys as the key of ada. */
function accepting(isAccepted: (key: string, request: RawRequest) => boolean): Change {
  return reading(ada, (account, key, request) => account === undefined && isAccepted(key, request));
}

/** Sections 1, 5 and 7: accounts, keys, errors. */
export const accessMutants: readonly Mutant[] = [
  ...breaking(['1.3'], {
    'user_id in the query opens the list of another account': {
      list: (memories, { query }) =>
        query.get('user_id') === grace.userId
          ? grace.memories.map((memory) => ({ ...memory, transcript: null, user_id: grace.userId }))
          : memories,
    },
    'user_id in the query opens a memory of another account': {
      searched: (account, { query }) => (query.get('user_id') === grace.userId ? [account, grace] : [account]),
    },
  }),

  ...breaking(['5.2'], {
    'Bearer is not accepted': answering(
      (_answer, request) => !usesHeader(request) && request.headers.authorization !== undefined,
      invalid,
    ),
  }),
  ...breaking(['5.3'], {
    'X-API-Key is not accepted': answering((_answer, request) => usesHeader(request), invalid),
    'X-API-Key is not accepted for a single memory': answering(
      (_answer, request) => usesHeader(request) && !request.isList,
      invalid,
    ),
    'a key in X-API-Key reads another account': reading(grace, isAdaByHeader),
    'a key in X-API-Key reads an account without memories': reading(nobody, isAdaByHeader),
    'a key in X-API-Key is forbidden': answering(opensByHeader, saying(403, 'Use Bearer')),
    'a key in X-API-Key reads another memory': answering(
      (answer, request) => opensByHeader(answer, request) && !request.isList,
      ({ body }) => ({ body: { ...(body as object), id: 'mem_100000' } }),
    ),
  }),
  ...breaking(['5.3', '5.4 wrong', '5.4 inactive'], {
    'X-API-Key is not looked at': { keys: (keys, request) => (usesHeader(request) ? [] : keys) },
  }),

  ...breaking(['5.4 missing'], {
    'a missing key is told in other words': answering(isMissing, saying(401, 'Not authenticated')),
    'a missing key is called invalid': answering(isMissing, invalid),
    'a single memory needs no key': accepting((key, { isList }) => key === '' && !isList),
    'the list of ada needs no key': accepting((key, { isList }) => key === '' && isList),
  }),
  ...breaking(['5.4 wrong', '5.4 inactive'], {
    'a wrong key is called missing': answering(isInvalid, saying(401, 'Missing API key')),
    'every X-API-Key is accepted': accepting((_key, request) => usesHeader(request)),
    'a wrong key reads nothing instead of being refused': reading(nobody, (account, key) => !account && key !== ''),
  }),
  ...breaking(['5.4 wrong'], {
    'a key is compared by its beginning': accepting((key) => key.startsWith(beginning)),
    'a key in X-API-Key is compared by its beginning': accepting(
      (key, request) => usesHeader(request) && key.startsWith(beginning),
    ),
    'a key is compared in lower case': accepting((key) => key.toLowerCase() === ada.key),
    'a key with something behind it is accepted': accepting((key) => key.startsWith(ada.key)),
    'the beginning of a key is accepted in X-API-Key': accepting(
      (key, request) => usesHeader(request) && key !== '' && ada.key.startsWith(key),
    ),
  }),
  ...breaking(['5.4 inactive'], {
    'an inactive key is accepted': reading(nobody, (_account, key) => key === gone.key),
    'an inactive key is accepted in X-API-Key': reading(
      nobody,
      (_account, key, request) => usesHeader(request) && key === gone.key,
    ),
    'an inactive key is told in other words': answering(
      (answer, { headers }) => isInvalid(answer) && String(headers.authorization).includes('gone'),
      saying(401, 'Inactive API key'),
    ),
  }),
  ...breaking(['5.5'], {
    'two keys read one account': reading(ada, (account) => account === grace),
    'the key of another account opens the memories of this one': {
      searched: (account) => (account === grace ? [grace, ada] : [account]),
    },
  }),
  ...breaking(['4.2.2 other account', '5.5'], {
    'every key opens every memory': { searched: (account) => [account, ada, grace] },
  }),

  ...breaking(['7'], {
    'errors are text': answering(isError, (answer) => ({
      ...withHeader('content-type', 'text/plain')(answer),
      body: 'No.',
    })),
    'errors have a message': answering(isError, ({ body }) => ({ body: { message: detailOf(body) } })),
    'details are arrays': answering(isError, ({ body }) => ({ body: { detail: [{ msg: detailOf(body) }] } })),
    'an error is an array': answering(isError, ({ body }) => ({ body: [body] })),
  }),
  ...breaking(['7 (422)'], {
    'a zero byte in a path makes the server fail': answering(
      (_answer, { path }) => path.includes('%00'),
      saying(500, 'Internal server error'),
    ),
    'a malformed path is a 400': answering((_answer, { path }) => path.includes('%zz'), { status: 400 }),
    'a malformed path is a memory': answering((_answer, { path }) => path.includes('%ff'), {
      status: 200,
      body: ada.memories[1],
    }),
  }),
];
