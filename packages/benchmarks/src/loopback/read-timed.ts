import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
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

export async function readTimed(url: string): Promise<TimedReading> {
  const start = performance.now();
  const [response]: IncomingMessage[] = await once(get(url, { agent, headers: { authorization } }), 'response');
  let bytes = 0;
  let firstByte = 0;
  response?.on('data', (chunk: Buffer) => {
    if (bytes === 0) firstByte = performance.now() - start;
    bytes += chunk.byteLength;
  });
  await once(response ?? agent, 'end');
  if (response?.statusCode === 200) return { firstByte, total: performance.now() - start, bytes };
  throw new Error(`Failed to read ${url}: the status is ${response?.statusCode}. Send the request by hand.`);
}

/** Closes the kept-alive connections. */
export function endReading(): void {
  agent.destroy();
}
