import type { RequestOptions } from '../client-options.ts';
import { currentApiKey } from '../configuration/api-key.ts';
import { type CallSettings, overrideSettings } from '../configuration/client-settings.ts';
import { RequestTimeoutError } from '../errors/errors.ts';
import { type Runtime, throwIfAborted } from '../transport/runtime.ts';
import { describeTimeout, missingKey, timeLimit } from '../transport/timeout-error.ts';
import { timedOut, withTimeout } from '../transport/with-timeout.ts';

/** The key and the time limit of a call, known before its first request. */
export interface KeyLookUp {
  /** The current key, whose URLs may be returned; undefined if no key is sent. */
  readonly apiKey: string | undefined;
  /** Milliseconds for the whole call, this look-up included. */
  readonly totalTimeout: number | false;
}

const action = 'get a media URL';

/** Looks up the current key, and checks the options of the call. */
export async function lookUpKey(
  clientSettings: CallSettings,
  options: RequestOptions,
  runtime: Runtime,
): Promise<KeyLookUp> {
  const settings = overrideSettings(clientSettings, options, action);
  const { auth, apiKey: source, totalTimeout, signal } = settings;
  throwIfAborted(signal);
  if (auth === 'none') return { apiKey: undefined, totalTimeout };
  const { milliseconds, ...expired } = timeLimit(settings, Number(totalTimeout));
  const apiKey = await withTimeout(currentApiKey(source, action), { runtime, signal, milliseconds });
  if (apiKey !== timedOut) return { apiKey, totalTimeout };
  const [problem, remedy] = describeTimeout(expired, missingKey);
  throw new RequestTimeoutError(`Failed to ${action}: ${problem}. ${remedy}`, expired);
}
