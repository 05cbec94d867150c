import type { ApiKeyProvider } from '../client-options.ts';
import { describe } from './option-kinds.ts';
import { refuseOption } from './refuse-option.ts';

/** Returns the key if a header can carry it. The message never repeats it. */
export function checkApiKey(apiKey: unknown, action: string, source: string): string {
  const problem = findProblem(apiKey);
  if (problem === undefined) return apiKey as string;
  const remedy = 'Pass it exactly as the account settings show it.';
  throw refuseOption(action, `the API key from ${source} ${problem}`, remedy, 'apiKey');
}

const keyRejections = new WeakSet<object>();

/** Whether the apiKey function rejected with the error, which may be one of this package but says nothing about a request. */
export function isKeyRejection(error: object): boolean {
  return keyRejections.has(error);
}

/** Returns the key to use now. A rejection of the provider passes through. */
export async function currentApiKey(apiKey: string | ApiKeyProvider | undefined, action: string): Promise<string> {
  if (typeof apiKey !== 'function') return apiKey as string;
  let key: unknown;
  try {
    key = await apiKey();
  } catch (error) {
    if (Object(error) === error) keyRejections.add(error as object);
    throw error;
  }
  return checkApiKey(key, action, keyFunction);
}

/** The source of a key in messages. */
export const keyFunction = 'the apiKey function';

function findProblem(apiKey: unknown): string | undefined {
  if (typeof apiKey !== 'string') return `is ${describe(apiKey)}, which is not a string`;
  if (apiKey === '') return 'is empty';
  if (/^[\x21-\x7e]+$/.test(apiKey)) return undefined;
  return 'contains white space, a line break or a character that is not visible ASCII';
}
