import type { ApiKeyProvider } from '../client-options.ts';
import { ConfigurationError } from '../errors/configuration-error.ts';

/** The key itself, where a header can carry it. The message never repeats it. */
export function checkApiKey(apiKey: unknown): string {
  if (typeof apiKey !== 'string') throw refuseKey(`is no string but of type ${typeof apiKey}`);
  if (apiKey === '') throw refuseKey('is empty');
  if (!/^[\x21-\x7e]+$/.test(apiKey)) {
    throw refuseKey('holds white space, a line break or a character beyond visible ASCII');
  }
  return apiKey;
}

/** The key to use now; a provider's rejection passes through. */
export async function currentApiKey(apiKey: string | ApiKeyProvider | undefined): Promise<string> {
  return checkApiKey(typeof apiKey === 'function' ? await apiKey() : apiKey);
}

function refuseKey(problem: string): ConfigurationError {
  return new ConfigurationError(
    `Failed to use the API key: because it ${problem}. Pass it exactly as the account settings show it.`,
  );
}
