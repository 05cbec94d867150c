import { ServerResponse } from 'node:http';

/** A list is sent as several lines, which only cookies need. */
export type NodeHeaders = Readonly<Record<string, string | number | string[]>>;

/** A response of Node's that also keeps what the observer of its request reports and Node does not keep. */
export class ObservedResponse extends ServerResponse {
  /** The `X-Request-Id` that the response began with. */
  requestId: string | null = null;
  hasFailed = false;

  begin(status: number, headers: NodeHeaders): this {
    this.requestId = headers['x-request-id']?.toString() ?? null;
    return this.writeHead(status, headers);
  }

  /** Ends the connection, because the body cannot be read to its end. */
  breakOff(): void {
    this.hasFailed = true;
    this.destroy();
  }
}
