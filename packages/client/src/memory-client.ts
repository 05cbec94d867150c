import type { ListedMemory, Memory } from '@memory-read/contract';
import type { OperationId } from '@memory-read/contract/operations';
import type { MemoryClientOptions, RequestOptions } from './client-options.ts';
import { requestUrl } from './configuration/base-url.ts';
import {
  type ClientSettings,
  overrideOptions,
  overrideSettings,
  resolveSettings,
} from './configuration/client-settings.ts';
import { checkSignal } from './configuration/option-checks.ts';
import { encodeMemoryId } from './memory-path.ts';
import { clientOperations, type ResponseOf } from './operations.ts';
import { readOperation } from './read-operation.ts';
import { type CallTarget, createCall } from './transport/call.ts';
import { globalRuntime } from './transport/runtime.ts';

/**
 * Reads the memories of one account.
 *
 * A method rejects with one of this package's errors (see {@link isMemoryApiError}), with the reason of an aborted
 * signal, or with what an `apiKey` function rejects with; with nothing else.
 *
 * @example
 * ```ts
 * const client = new MemoryClient({ baseUrl: 'https://api.example.com', apiKey: process.env.MEMORY_API_KEY });
 * ```
 */
export class MemoryClient {
  readonly #settings: ClientSettings;

  /** @throws {ConfigurationError} where an option cannot be used, or no base URL or key is known. */
  constructor(options: MemoryClientOptions = {}) {
    this.#settings = resolveSettings(options);
  }

  /**
   * All memories of the account, newest first, without transcripts. See section 4.1 of the specification.
   *
   * @throws {AuthenticationError} where the key is not accepted; every other failure as {@link isMemoryApiError} says.
   *
   * @example
   * ```ts
   * const memories = await client.listMemories();
   * for (const { id, name, started_at } of memories) console.log(started_at, id, name);
   * ```
   */
  async listMemories(options: RequestOptions = {}): Promise<ListedMemory[]> {
    const { path } = clientOperations.listMemories;
    return this.#read('listMemories', { path, action: 'list memories' }, options);
  }

  /**
   * One memory, with its transcript and summary once it is processed. See section 4.2 of the specification.
   *
   * @throws {MemoryNotFoundError} where it does not exist or belongs to another account.
   * @throws {ConfigurationError} where no URL can carry the id, such as an empty one; nothing is sent.
   *
   * @example
   * ```ts
   * const { summary, transcript } = await client.getMemory('mem_1');
   * console.log(summary?.quick_summary);
   * for (const { speaker, text } of transcript?.segments ?? []) console.log(`${speaker}: ${text}`);
   * ```
   */
  async getMemory(memoryId: string, options: RequestOptions = {}): Promise<Memory> {
    const path = clientOperations.getMemory.path.replace('{memory_id}', encodeMemoryId(memoryId));
    return this.#read('getMemory', { path, action: 'get memory', memoryId }, options);
  }

  /**
   * A client with some options changed; undefined keeps this client's. Nothing is shared between the two.
   *
   * `headers` and `hooks` given here replace this client's as a whole, while the headers of a single call are added to
   * those of its client.
   *
   * @throws {ConfigurationError} where an option cannot be used.
   *
   * @example
   * ```ts
   * const nightly = client.withOptions({ totalTimeout: 600_000, retries: 5 });
   * const sameMemories = await nightly.listMemories();
   * ```
   */
  withOptions(overrides: Partial<MemoryClientOptions>): MemoryClient {
    return new MemoryClient(overrideOptions(this.#settings, overrides));
  }

  /** What may be shown of a client; the key may not. */
  toJSON(): { baseUrl: string; auth: string } {
    const { baseUrl, auth } = this.#settings;
    return { baseUrl, auth };
  }

  /** @internal */
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return `MemoryClient ${JSON.stringify(this)}`;
  }

  async #read<Id extends OperationId>(
    operation: Id,
    { path, ...target }: Pick<CallTarget, 'action' | 'memoryId'> & { readonly path: string },
    options: RequestOptions,
  ): Promise<ResponseOf<Id>> {
    const settings = overrideSettings(this.#settings, options);
    const signal = checkSignal(options.signal);
    signal?.throwIfAborted();
    const { method } = clientOperations[operation];
    const url = requestUrl(settings.baseUrl, path);
    return readOperation(
      operation,
      createCall({ ...target, operation, method, url }, { settings, signal, runtime: globalRuntime }),
    );
  }
}
