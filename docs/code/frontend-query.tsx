// #region setup
import { isMemoryApiError, type Memory, MemoryClient, mediaExpiresAt } from '@memory-read/client';
import { keepPlaying } from '@memory-read/client/playback';
import { memoriesQuery, memoryQuery } from '@memory-read/client/query';
import { turns } from '@memory-read/client/transcript';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';

/** The backend of the page has the API key. */
const client = new MemoryClient({ baseUrl: '/api', auth: 'none' });
// #endregion

// #region list
export function MemoryList() {
  // #region memories-query
  const { data: memories = [], error } = useQuery(memoriesQuery(client));
  // #endregion
  return (
    <>
      {error && <p role="alert">The memories cannot be read. Try again later.</p>}
      <ul>
        {memories.map(({ id, name, is_processing }) => (
          <li key={id}>
            <a href={`?memory=${encodeURIComponent(id)}`}>{name}</a>
            {is_processing && ' (being processed)'}
          </li>
        ))}
      </ul>
    </>
  );
}
// #endregion

// #region page
export function MemoryPage({ memoryId }: { memoryId: string }) {
  // #region memory-query
  const { data: memory, error } = useQuery(memoryQuery(client, memoryId));
  // #endregion
  const isMissing = isMemoryApiError(error) && error.code === 'not_found';
  const advice = isMissing ? 'This memory does not exist.' : 'The memory cannot be read. Try again later.';
  const alert = error && <p role="alert">{advice}</p>;
  if (!memory || isMissing) return alert ?? <p>Loading …</p>;
  return (
    <article>
      {alert}
      <h1>{memory.name}</h1>
      {memory.preview_image_url && <img src={memory.preview_image_url} alt="" />}
      {memory.audio_url && <Player key={memory.id} memory={memory} />}
      {memory.is_processing && <p>The transcript is being made.</p>}
      {turns(memory).map(({ speaker, text }, index) => (
        // Two turns can start at the same time.
        // biome-ignore lint/suspicious/noArrayIndexKey: turns have no id
        <p key={index}>
          <b>{speaker}</b> {text}
        </p>
      ))}
    </article>
  );
}
// #endregion

// #region player
function Player({ memory }: { memory: Memory }) {
  const element = useRef<HTMLAudioElement>(null);
  // What plays needs nothing of a later read.
  const [first] = useState(memory);
  useEffect(() => {
    if (!element.current || !first.audio_url) return undefined;
    const playback = keepPlaying(element.current, (request) => client.mediaUrl(first.id, 'audio', request), {
      initial: { url: first.audio_url, expiresAt: mediaExpiresAt(first) },
    });
    return () => playback.stop();
  }, [first]);
  // Without `src`: keepPlaying sets it.
  return <audio controls ref={element} />;
}
// #endregion
