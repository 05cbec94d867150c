import type { ApiKeyProvider } from '../client-options.ts';
import { readEnvironment } from './environment.ts';
import { OptionChecks } from './option-checks.ts';
import { describe } from './option-kinds.ts';

/** Returns the key if a header can carry it. The message never repeats it. */
export function checkApiKey(apiKey: unknown, action: string, source: KeyOptions = { apiKey }): string {
  const problem = findProblem(apiKey);
  if (problem === undefined) return apiKey as string;
  const remedy = 'Pass it exactly as the account settings show it.';
  throw new OptionChecks(action).refuse(`the API key from ${keySource(source)} ${problem}`, remedy, 'apiKey');
}

const keyRejections = new WeakSet<object>();

/** Whether the apiKey function rejected with the error, which may be one of this package but says nothing about a request. */
export function isKeyRejection(error: object): boolean {
  return keyRejections.has(error);
}

/** Returns the key to use now. A rejection of the provider passes through. */
export async function currentApiKey(apiKey: string | ApiKeyProvider | undefined, action: string): Promise<string> {
  let key: unknown = apiKey;
  try {
    if (typeof apiKey === 'function') key = await apiKey();
  } catch (error) {
    if (Object(error) === error) keyRejections.add(error as object);
    throw error;
  }
  return checkApiKey(key, action, { apiKey });
}

function findProblem(apiKey: unknown): string | undefined {
  if (typeof apiKey !== 'string') return `is ${describe(apiKey)}, which is not a string`;
  if (apiKey === '') return 'is empty';
  if (/^[\x21-\x7e]+$/.test(apiKey)) return undefined;
  return 'contains white space, a line break or a character that is not visible ASCII';
}

/** The key of a call, and whether the caller passed it to the call. */
interface KeyOptions {
  readonly apiKey: unknown;
  readonly isCallKey?: boolean;
}

/** Returns where the API key of a call comes from, for messages. */
export function keySource({ apiKey, isCallKey }: KeyOptions): string {
  if (typeof apiKey === 'function') return 'the apiKey function';
  if (isCallKey) return 'the apiKey option of the call';
  return apiKey === readEnvironment('MEMORY_API_KEY') ? 'MEMORY_API_KEY' : 'the apiKey option';
}
