import { MemoryClient } from '@memory-read/client';
import { memoryQuery, swrArguments } from '@memory-read/client/query';
import useSWR from 'swr';

const client = new MemoryClient({ baseUrl: '/api', auth: 'none' });

export function MemoryTitle({ memoryId }: { memoryId: string }) {
  // #region swr
  const { data: memory, error } = useSWR(...swrArguments(memoryQuery(client, memoryId)));
  // #endregion
  return error ? <p role="alert">The memory cannot be read. Try again later.</p> : <h1>{memory?.name}</h1>;
}
