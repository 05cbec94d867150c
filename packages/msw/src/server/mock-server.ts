import type { FetchMemoryMock } from '../fetch/fetch-memory-mock.ts';
import type { MemoryMockOptions } from '../mock-options.ts';
import type { ServerFaultControls } from './faults/wire-fault.ts';
import type { WireOperation } from './wire-log/wire-operation.ts';
import type { WireRequest } from './wire-log/wire-request.ts';

/** Options of a space. */
export interface MockSpaceOptions extends Omit<MemoryMockOptions, 'baseUrl' | 'mediaUrl'> {
  /** Name of the space: `[a-z0-9][a-z0-9-]{0,62}`. Default: `space-1`, `space-2` and so on. */
  id?: string | undefined;
  /** API key of the default account. Default: a generated one, different for each space. */
  apiKey?: string | undefined;
  /** Path before `/v1`, such as `/api/memories`. Default: none. */
  basePath?: string | undefined;
  /** Default: a free port, or the next one of `spacePorts`. */
  port?: number | undefined;
  /** Certificate and key as PEM texts. The space is then served over https. Default: http. */
  tls?: { cert: string; key: string } | undefined;
}

/** Options of a mock server, which include those of its space `default`. */
export interface MockServerOptions extends Omit<MockSpaceOptions, 'id'> {
  /** Address on which API and media listen. Default: `127.0.0.1`. */
  hostname?: string | undefined;
  /** Host name in the URLs. Default: `hostname`. */
  publicHost?: string | undefined;
  /** Default: a free port. */
  mediaPort?: number | undefined;
  /** First and last port for `openSpace`. Default: free ports. */
  spacePorts?: readonly [first: number, last: number] | undefined;
  /** The control API. Default: `false`. */
  control?: { port?: number | undefined; hostname?: string | undefined } | false | undefined;
}

/** A space: a whole mock with a port, a key, memories, a clock, faults and a log of its own. */
export interface MockSpace
  extends Pick<
      FetchMemoryMock,
      'baseUrl' | 'mediaUrl' | 'apiKey' | 'clock' | 'memories' | 'accounts' | 'expireMediaUrls'
    >,
    AsyncDisposable {
  readonly id: string;
  /** Another origin, which responds with 200 and `[]`, and logs each request. */
  readonly elsewhereUrl: string;
  readonly faults: ServerFaultControls;
  /** Requests since the last reset, in the order of their ends. */
  readonly requests: readonly WireRequest[];
  /**
   * Returns the next request that ends or stalls: any, also for media or to the other origin, or one of an operation. The
   * promise rejects if the space is reset or closed first.
   *
   * @throws a {@link RangeError} if the operation is unknown.
   */
  nextRequest(which?: { operation?: WireOperation | undefined }): Promise<WireRequest>;
  /**
   * Resets memories, accounts, keys, clock, faults and requests. Connections with a response in flight are reset, and idle
   * ones stay open.
   */
  reset(): void;
  /** Ends all connections, frees the port, and resolves. Idempotent. */
  close(): Promise<void>;
}

/** A mock server, which is its own space `default`. */
export interface MockServer extends MockSpace {
  /** Root URL of the control API; null without one. */
  readonly controlUrl: string | null;
  /**
   * Opens a space. It resolves when the space accepts requests.
   *
   * @throws a {@link TypeError} if an option is invalid.
   * @throws a {@link RangeError} if a space with this id is open, or all of `spacePorts` are in use.
   */
  openSpace(options?: MockSpaceOptions): Promise<MockSpace>;
  /** Returns the open spaces, from the oldest on. The first one is `default`, until it is closed. */
  spaces(): readonly MockSpace[];
  /** Closes all spaces and the server. The process can then end by itself. Idempotent. */
  close(): Promise<void>;
}
