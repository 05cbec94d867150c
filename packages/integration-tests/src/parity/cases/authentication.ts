import type { ParityCase } from '../parity-case.ts';

type Headers = readonly (readonly [name: string, value: string])[];

const key = 'key-of-one';
const odd = 'k;=/+~\'"()[]{}<>@:?\\|`^&*%$#!';

const forms: readonly (readonly [title: string, ...headers: Headers])[] = [
  ['no key'],
  ['a key in Authorization', ['Authorization', `Bearer ${key}`]],
  ['a key in X-API-Key', ['X-API-Key', key]],
  ['the second key of an account', ['X-API-Key', 'second-key-of-one']],
  ['a key of every punctuation mark, in Authorization', ['Authorization', `Bearer ${odd}`]],
  ['a key of every punctuation mark, in X-API-Key', ['X-API-Key', odd]],
  ['a header name in small letters', ['authorization', `Bearer ${key}`]],
  ['a header name in capitals', ['X-API-KEY', key]],
  ['a scheme in small letters', ['Authorization', `bearer ${key}`]],
  ['a scheme in capitals', ['Authorization', `BEARER ${key}`]],
  ['two spaces behind the scheme', ['Authorization', `Bearer  ${key}`]],
  ['a tab behind the scheme', ['Authorization', `Bearer\t${key}`]],
  ['white space around the value of X-API-Key', ['X-API-Key', `  ${key}  `]],
  ['white space around the value of Authorization', ['Authorization', `  Bearer ${key}  `]],
  ['a bare Bearer', ['Authorization', 'Bearer']],
  ['a Bearer and a space', ['Authorization', 'Bearer ']],
  ['an empty Authorization', ['Authorization', '']],
  ['an empty X-API-Key', ['X-API-Key', '']],
  ['both headers, both empty', ['Authorization', ''], ['X-API-Key', '']],
  ['a key without a scheme', ['Authorization', key]],
  ['the scheme Basic', ['Authorization', 'Basic a2V5OmtleQ==']],
  ['the scheme Token', ['Authorization', `Token ${key}`]],
  ['the scheme Digest, with commas of its own', ['Authorization', 'Digest username="a, b", realm="c d"']],
  ['a scheme that begins like Bearer', ['Authorization', `BearerX ${key}`]],
  ['a colon behind the scheme', ['Authorization', `Bearer: ${key}`]],
  ['the scheme twice', ['Authorization', `Bearer Bearer ${key}`]],
  ['something behind the key', ['Authorization', `Bearer ${key} more`]],
  ['a quoted key', ['Authorization', `Bearer "${key}"`]],
  ['a comma in the key', ['X-API-Key', `${key},`]],
  ['a key that nobody has', ['Authorization', 'Bearer key-of-nobody']],
  ['a key that nobody has, in X-API-Key', ['X-API-Key', 'key-of-nobody']],
  ['a key in capitals', ['X-API-Key', 'KEY-OF-ONE']],
  ['the beginning of a key', ['X-API-Key', 'key-of-on']],
  ['more than a key', ['X-API-Key', 'key-of-one1']],
  ['a key with a letter beyond ASCII', ['X-API-Key', 'key-of-on\u00e9']],
  ['a key with a no-break space behind it', ['Authorization', `Bearer ${key}\u00a0`]],
  ['a key of 4,000 characters', ['X-API-Key', 'k'.repeat(4_000)]],
  ['a user id for a key', ['X-API-Key', 'user_one']],
  ['a name that every object has', ['X-API-Key', '__proto__']],
  ['a revoked key', ['Authorization', 'Bearer revoked-key-of-one']],
  ['a revoked key in X-API-Key', ['X-API-Key', 'revoked-key-of-one']],
  ['an expired key', ['Authorization', 'Bearer expired-key-of-one']],
  ['an expired key in X-API-Key', ['X-API-Key', 'expired-key-of-one']],
  ['the same key in both headers', ['Authorization', `Bearer ${key}`], ['X-API-Key', key]],
  ['two keys of two accounts', ['Authorization', `Bearer ${key}`], ['X-API-Key', 'key-of-gallery']],
  ['two keys of two accounts, the other way round', ['X-API-Key', key], ['Authorization', 'Bearer key-of-gallery']],
  ['two keys of one account', ['Authorization', `Bearer ${key}`], ['X-API-Key', 'second-key-of-one']],
  ['a good key and an unknown one', ['Authorization', `Bearer ${key}`], ['X-API-Key', 'key-of-nobody']],
  ['an unknown key and a good one', ['Authorization', 'Bearer key-of-nobody'], ['X-API-Key', key]],
  ['a good key and a revoked one', ['Authorization', `Bearer ${key}`], ['X-API-Key', 'revoked-key-of-one']],
  ['an unknown key in both headers', ['Authorization', 'Bearer key-of-nobody'], ['X-API-Key', 'key-of-nobody']],
  ['Basic beside a key', ['Authorization', 'Basic a2V5OmtleQ=='], ['X-API-Key', key]],
  ['Basic beside an unknown key', ['Authorization', 'Basic a2V5OmtleQ=='], ['X-API-Key', 'key-of-nobody']],
  ['a bare Bearer beside a key', ['Authorization', 'Bearer'], ['X-API-Key', key]],
  ['an empty X-API-Key beside a Bearer', ['Authorization', `Bearer ${key}`], ['X-API-Key', '']],
  ['X-API-Key twice, the same', ['X-API-Key', key], ['X-API-Key', key]],
  ['X-API-Key twice, with two keys', ['X-API-Key', key], ['X-API-Key', 'second-key-of-one']],
  ['Authorization twice, the same', ['Authorization', `Bearer ${key}`], ['Authorization', `Bearer ${key}`]],
  [
    'Basic and Bearer in two Authorization headers',
    ['Authorization', 'Basic YTpi'],
    ['Authorization', `Bearer ${key}`],
  ],
  ['a key in Api-Key', ['Api-Key', key]],
  ['a key in X-API-Token', ['X-API-Token', key]],
  ['a key in X-Authorization', ['X-Authorization', `Bearer ${key}`]],
  ['a key in a cookie', ['Cookie', `api_key=${key}`]],
];

const elsewhere: ParityCase[] = [
  { title: 'a key in the query of the list', method: 'GET', path: `/v1/memories?api_key=${key}` },
  { title: 'a key in the query of a memory', method: 'GET', path: `/v1/memories/mem_of_one?api_key=${key}` },
  { title: 'a user id in the query says nothing', method: 'GET', path: '/v1/memories?user_id=user_one' },
];

const targets = [
  ['for the list', '/v1/memories'],
  ['for a memory', '/v1/memories/mem_of_one'],
] as const;

export const authenticationCases: readonly ParityCase[] = [
  ...targets.flatMap(([where, path]) =>
    forms.map(([title, ...headers]) => ({ title: `${title}, ${where}`, method: 'GET', path, headers })),
  ),
  ...elsewhere,
];
