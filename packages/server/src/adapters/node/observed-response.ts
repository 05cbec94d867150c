import { ServerResponse } from 'node:http';

/** Headers for Node. A list becomes several lines, which only cookies need. */
export type NodeHeaders = Readonly<Record<string, string | number | string[]>>;

/** A response of Node with the facts that the request observer reports. */
export class ObservedResponse extends ServerResponse {
  /** Time at which the headers of the request had arrived, on the clock of `performance.now()`. */
  readonly arrivedAt = performance.now();
  /** The `X-Request-Id` of the response. */
  requestId: string | null = null;
  hasFailed = false;
  /** The request that `fetch` got. Undefined if it was not called. */
  request: Request | undefined;

  begin(status: number, headers: NodeHeaders): this {
    this.requestId = headers['x-request-id']?.toString() ?? null;
    return this.writeHead(status, headers);
  }

  /**
   * Resets the connection, because the body cannot be read to its end.
   *
   * Without a length and without chunks, as in HTTP/1.0, a body ends when its connection is closed. Only a reset shows
   * that it is incomplete.
   */
  breakOff(): void {
    this.hasFailed = true;
    this.socket?.resetAndDestroy();
    this.destroy();
  }
}
