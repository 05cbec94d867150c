import { once } from 'node:events';
import { begin } from './begin.ts';
import { megabytesOf, type ServeProcess } from './start-serve.ts';

/** Results of two parallel lists of one account, with the memory that they used. */
export interface ListBesideSlowReader {
  /** Results of the client that read the whole list. */
  memories: { id: string; started_at: string }[];
  /** Peak memory of the server's process before, and with both lists. */
  idleMegabytes: number;
  peakMegabytes: number;
}

/** Reads a whole list, while another client reads one byte of its own list for each chunk of the first one. */
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
