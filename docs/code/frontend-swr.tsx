// #region swr-page
import { isMemoryApiError, MemoryClient } from '@memory-read/client';
import { memoriesQuery, memoryQuery, swrArguments } from '@memory-read/client/query';
import useSWR from 'swr';

const client = new MemoryClient({ baseUrl: '/api', auth: 'none' });

export function MemoryTitle({ memoryId }: { memoryId: string }) {
  // #region swr
  const { data: memory, error } = useSWR(...swrArguments(memoryQuery(client, memoryId)));
  // #endregion
  const isMissing = isMemoryApiError(error) && error.code === 'not_found';
  const advice = isMissing ? 'This memory does not exist.' : 'The memory cannot be read. Try again later.';
  return (
    <>
      {error && <p role="alert">{advice}</p>}
      {memory && !isMissing && <h1>{memory.name}</h1>}
    </>
  );
}
// #endregion

export function MemoryNames() {
  // #region swr-options
  const [key, fetcher, config] = swrArguments(memoriesQuery(client));
  const { data: memories = [], error } = useSWR(key, fetcher, { ...config, revalidateOnFocus: false });
  // #endregion
  return error ? null : memories.map(({ id, name }) => <p key={id}>{name}</p>);
}
