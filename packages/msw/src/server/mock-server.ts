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
      'baseUrl' | 'mediaUrl' | 'apiKey' | 'clock' | 'memories' | 'accounts' | 'expireMediaUrls' | 'reset'
    >,
    AsyncDisposable {
  readonly id: string;
  /** Another origin, which responds with 200 and `[]`, and logs each request. */
  readonly elsewhereUrl: string;
  readonly faults: ServerFaultControls;
  /** Requests since the last reset, in the order of their ends. */
  readonly requests: readonly WireRequest[];
  nextRequest(which?: { operation?: WireOperation | undefined }): Promise<WireRequest>;
  close(): Promise<void>;
}

/** A mock server, which is its own space `default`. */
export interface MockServer extends MockSpace {
  readonly controlUrl: string | null;
  openSpace(options?: MockSpaceOptions): Promise<MockSpace>;
  spaces(): readonly MockSpace[];
}
