// #region setup
import { MemoryClient } from '@memory-read/client';
import { memoriesQuery, memoryQuery, memoryReadKeys } from '@memory-read/client/query';
import { turns } from '@memory-read/client/transcript';
import { type QueryClient, useQuery } from '@tanstack/react-query';

/** The backend of the page has the API key. */
const client = new MemoryClient({ baseUrl: '/api', auth: 'none' });
// #endregion

// #region list
export function MemoryList() {
  // #region memories-query
  const { data: memories = [], error } = useQuery(memoriesQuery(client));
  // #endregion
  if (error) return <p role="alert">The memories cannot be read. Try again later.</p>;
  return (
    <ul>
      {memories.map(({ id, name, is_processing }) => (
        <li key={id}>
          {name}
          {is_processing && ' (being processed)'}
        </li>
      ))}
    </ul>
  );
}
// #endregion

// #region page
export function MemoryPage({ memoryId }: { memoryId: string }) {
  // #region memory-query
  const { data: memory, error } = useQuery(memoryQuery(client, memoryId));
  // #endregion
  if (error) return <p role="alert">The memory cannot be read. Try again later.</p>;
  if (!memory) return <p>Loading …</p>;
  return (
    <article>
      <h1>{memory.name}</h1>
      {memory.audio_url && <audio controls src={memory.audio_url} />}
      {memory.is_processing && <p>The transcript is being made.</p>}
      {turns(memory).map(({ start, speaker, text }) => (
        <p key={start}>
          <b>{speaker}</b> {text}
        </p>
      ))}
    </article>
  );
}
// #endregion

/** After a user has signed in again, for example. */
export async function readAgain(queryClient: QueryClient): Promise<void> {
  // #region keys
  await queryClient.invalidateQueries({ queryKey: memoryReadKeys().all });
  // #endregion
}
