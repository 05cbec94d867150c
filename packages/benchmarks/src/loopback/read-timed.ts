import { Agent, get } from 'node:http';
import { authorization } from '../memories/account.ts';

/** One GET that reads the body and drops it. */
export interface TimedReading {
  /** Milliseconds to the first byte of the body. */
  firstByte: number;
  /** Milliseconds to the last. */
  total: number;
  bytes: number;
}

const agent = new Agent({ keepAlive: true });

export function readTimed(url: string): Promise<TimedReading> {
  const start = performance.now();
  return new Promise((resolve, reject) => {
    get(url, { agent, headers: { authorization } }, (response) => {
      let bytes = 0;
      let firstByte = 0;
      response.on('data', (chunk: Buffer) => {
        if (bytes === 0) firstByte = performance.now() - start;
        bytes += chunk.byteLength;
      });
      response.on('error', reject);
      response.on('end', () => {
        if (response.statusCode === 200) resolve({ firstByte, total: performance.now() - start, bytes });
        else
          reject(new Error(`Failed to read ${url}: the status is ${response.statusCode}. Send the request by hand.`));
      });
    }).on('error', reject);
  });
}

/** Closes the kept-alive connections. */
export function endReading(): void {
  agent.destroy();
}
