import type { RequestOptions } from '../client-options.ts';
import { currentApiKey } from '../configuration/api-key.ts';
import { type CallSettings, overrideSettings } from '../configuration/client-settings.ts';
import { checkSignal } from '../configuration/option-checks.ts';
import { RequestTimeoutError } from '../errors/request-timeout-error.ts';
import { type Runtime, refuseAborted } from '../transport/runtime.ts';
import { inTime, late } from './in-time.ts';

/** Whose URLs may be given out: the key of now; undefined where none is sent. Checks the options of the call as well. */
export async function lookUpKey(
  clientSettings: CallSettings,
  options: RequestOptions,
  runtime: Runtime,
): Promise<string | undefined> {
  const { auth, apiKey, timeout, totalTimeout } = overrideSettings(clientSettings, options);
  const signal = checkSignal(options.signal);
  refuseAborted(signal);
  if (auth === 'none') return undefined;
  const isTotal = totalTimeout !== false && (timeout === false || totalTimeout < timeout);
  const milliseconds = isTotal ? totalTimeout : timeout;
  const key = await inTime(currentApiKey(apiKey), { runtime, signal, milliseconds });
  if (key !== late) return key;
  throw new RequestTimeoutError(
    `Failed to look up the API key: because the apiKey function did not return within ${milliseconds} ms. Check it.`,
    { limit: isTotal ? 'total' : 'attempt', timeoutMs: Number(milliseconds) },
  );
}
