import { once } from 'node:events';
import { begin } from './begin.ts';
import { megabytesOf, type ServeProcess } from './start-serve.ts';

/** Two lists of one account at once, and what memory they took. */
export interface ListBesideSlowReader {
  /** Of the reader that took the whole list. */
  memories: { id: string; started_at: string }[];
  /** The most that the server's process ever had before, and with both lists. */
  idleMegabytes: number;
  peakMegabytes: number;
}

/** Reads a whole list, while another reader takes one byte of its own for each piece that the first one gets. */
export async function listBesideSlowReader(server: ServeProcess, key: string): Promise<ListBesideSlowReader> {
  await begin(`${server.baseUrl}/v1/memories/unknown`, key);
  const idleMegabytes = megabytesOf(server, 'VmHWM');
  const slow = await begin(`${server.baseUrl}/v1/memories`, key);
  await once(slow, 'readable');
  const whole = await begin(`${server.baseUrl}/v1/memories`, key);
  const pieces: Buffer[] = [];
  for await (const piece of whole) {
    pieces.push(piece);
    slow.read(1);
  }
  const peak = megabytesOf(server, 'VmHWM');
  const isUnderWay = !slow.complete;
  slow.destroy();
  if (!isUnderWay)
    throw new Error('Failed to read slowly: the list is shorter than the buffers of the sockets. Serve a longer list.');
  return { memories: JSON.parse(Buffer.concat(pieces).toString()), idleMegabytes, peakMegabytes: peak };
}
