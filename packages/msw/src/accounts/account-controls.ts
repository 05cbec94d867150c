import { type Authenticate, hashApiKey } from '@memory-read/server';
import { assertOptions } from '../checks/assert-options.ts';
import { formatValue } from '../checks/format-value.ts';
import { notFoundError } from '../checks/unknown-name-error.ts';
import { createKeySpellings } from './key-spellings.ts';

/** An account of a mock with one of its API keys. */
export interface MockAccount {
  userId: string;
  apiKey: string;
}

/** Changes the accounts of a mock. Each change takes effect at once. */
export interface AccountControls {
  /** Adds an account, or another key to an existing account. Missing values are generated, the same in every run. */
  add(account?: { userId?: string | undefined; apiKey?: string | undefined }): MockAccount;
  /** Deactivates an API key. The mock then responds to it with 401. See section 5.4 of the specification. */
  deactivateKey(apiKey: string): void;
}

/** The controls, and the methods that only the mock calls. */
export interface AccountRegistry extends AccountControls {
  /** The default account. */
  readonly main: MockAccount;
  authenticate: Authenticate;
  /** Returns the account, or the default one. @throws RangeError if there is no such account. */
  accountOf(userId: string | undefined, action: string): string;
  /** Returns whether a text contains a key that an account has or had. */
  hasKey(text: string): boolean;
  /** Replaces every key that an account has or had. */
  redactKeys(text: string): string;
  reset(): void;
}

/** Generated keys depend on `identity`. `mainKey` is the key of the default account. */
export function createAccountControls(identity: string, mainKey?: string): AccountRegistry {
  const owners = new Map<string, { userId: string; isActive: boolean }>();
  const spellings = createKeySpellings();
  let count = 0;

  const add: AccountRegistry['add'] = (account = {}) => {
    assertOptions('add an account', { name: 'the account argument', value: account }, ['userId', 'apiKey']);
    const { userId, apiKey } = account;
    if (userId !== undefined && typeof userId !== 'string') {
      throw accountError(`userId is ${formatValue(userId)}, which is not a string`, 'Pass a string, or leave it out');
    }
    if (apiKey !== undefined && typeof apiKey !== 'string') {
      throw accountError('apiKey is not a string', 'Pass a string, or leave it out');
    }
    if (userId === '') throw accountError('userId is empty', 'Pass another id, or leave it out');
    if (apiKey !== undefined && !usableKey.test(apiKey))
      throw accountError('apiKey is empty or contains an invalid character', keyAdvice);
    if (apiKey !== undefined && owners.has(apiKey))
      throw accountError('apiKey already belongs to an account', 'Pass another key');
    count += 1;
    const key = apiKey ?? `mrk_${hashApiKey(`${identity} ${count}`).slice(0, 43)}`;
    const owner = userId ?? `user_${count}`;
    owners.set(key, { userId: owner, isActive: true });
    spellings.add(key);
    return { userId: owner, apiKey: key };
  };
  const main = add({ apiKey: mainKey });
  return {
    main,
    add,
    deactivateKey(apiKey) {
      const owner = owners.get(apiKey);
      if (!owner) throw unknownKeyError();
      owner.isActive = false;
    },
    async authenticate(key) {
      const owner = owners.get(key);
      return owner?.isActive ? { userId: owner.userId } : undefined;
    },
    accountOf(userId = main.userId, action) {
      const userIds = [...new Set(Array.from(owners.values(), (owner) => owner.userId))];
      if (userIds.includes(userId)) return userId;
      throw notFoundError(action, `the account ${formatValue(userId)}`, userIds);
    },
    hasKey: spellings.isIn,
    redactKeys: spellings.redact,
    reset() {
      owners.clear();
      count = 0;
      add({ apiKey: mainKey });
    },
  };
}

// The server has the same rule: visible ASCII without a comma, because a comma joins repeated headers.
const usableKey = /^[!-+\--~]+$/;
const keyAdvice = 'Pass visible ASCII characters without a comma, or leave it out';

function accountError(problem: string, advice: string): TypeError {
  return new TypeError(`Failed to add an account: ${problem}. ${advice}.`);
}

/** The message does not repeat the key, which may be valid elsewhere. */
function unknownKeyError(): RangeError {
  return new RangeError(
    'Failed to deactivate an API key: no account of this mock has this key. Pass the key of the mock or of an added account.',
  );
}
