import type { RequestOptions } from '../client-options.ts';
import { currentApiKey } from '../configuration/api-key.ts';
import { type CallSettings, overrideSettings } from '../configuration/client-settings.ts';
import { checkSignal } from '../configuration/option-checks.ts';
import { RequestTimeoutError } from '../errors/request-timeout-error.ts';
import { type Runtime, throwIfAborted } from '../transport/runtime.ts';
import { inTime, late } from './with-timeout.ts';

/** What is known of a call before anything is read for it. */
export interface KeyLookUp {
  /** Whose URLs may be given out: the key of now; undefined where none is sent. */
  readonly apiKey: string | undefined;
  /** Milliseconds for the whole call, this look-up included. */
  readonly totalTimeout: number | false;
}

/** Checks the options of the call as well. */
export async function lookUpKey(
  clientSettings: CallSettings,
  options: RequestOptions,
  runtime: Runtime,
): Promise<KeyLookUp> {
  const { auth, apiKey: source, timeout, totalTimeout } = overrideSettings(clientSettings, options);
  const signal = checkSignal(options.signal);
  throwIfAborted(signal);
  if (auth === 'none') return { apiKey: undefined, totalTimeout };
  const isTotal = totalTimeout !== false && (timeout === false || totalTimeout < timeout);
  const milliseconds = isTotal ? totalTimeout : timeout;
  const apiKey = await inTime(currentApiKey(source), { runtime, signal, milliseconds });
  if (apiKey !== late) return { apiKey, totalTimeout };
  throw new RequestTimeoutError(
    `Failed to look up the API key: because the apiKey function did not return within ${milliseconds} ms. Check it.`,
    { limit: isTotal ? 'total' : 'attempt', timeoutMs: Number(milliseconds) },
  );
}
