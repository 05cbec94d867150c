import type { RequestOptions } from '../client-options.ts';
import { currentApiKey } from '../configuration/api-key.ts';
import { type CallSettings, overrideSettings } from '../configuration/client-settings.ts';
import { checkSignal } from '../configuration/option-checks.ts';
import { RequestTimeoutError } from '../errors/request-timeout-error.ts';
import { type Runtime, throwIfAborted } from '../transport/runtime.ts';
import { timedOut, withTimeout } from './with-timeout.ts';

/** The key and the time limit of a call, known before its first request. */
export interface KeyLookUp {
  /** The current key, whose URLs may be returned; undefined if no key is sent. */
  readonly apiKey: string | undefined;
  /** Milliseconds for the whole call, this look-up included. */
  readonly totalTimeout: number | false;
}

/** Looks up the current key, and checks the options of the call. */
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
  const apiKey = await withTimeout(currentApiKey(source), { runtime, signal, milliseconds });
  if (apiKey !== timedOut) return { apiKey, totalTimeout };
  throw new RequestTimeoutError(
    `Failed to look up the API key: because the apiKey function did not return within ${milliseconds} ms. Check it.`,
    { limit: isTotal ? 'total' : 'attempt', timeoutMs: Number(milliseconds) },
  );
}
