// #region send-audio
import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { isMemoryApiError, MemoryClient } from '@memory-read/client';

const client = new MemoryClient();

/** Returns a signal that is aborted when the visitor leaves. */
export function visitorSignal(response: ServerResponse): AbortSignal {
  const leaving = new AbortController();
  response.once('close', () => leaving.abort());
  return leaving.signal;
}

/** Sends a recording to a visitor. If it cannot be opened, the promise rejects, and you can still respond. */
export async function sendAudio(memoryId: string, response: ServerResponse): Promise<void> {
  try {
    const { body, contentType } = await client.openMedia(memoryId, 'audio', { signal: visitorSignal(response) });
    response.setHeader('content-type', contentType ?? 'application/octet-stream');
    await pipeline(body, response);
  } catch (error) {
    if (!response.headersSent && !response.destroyed) throw error;
    // The visitor has left, or sees that the connection breaks off.
    if (isMemoryApiError(error)) console.error(error.message); // for your log
  }
}
// #endregion

// #region pass-audio-on
export async function passAudioOn(memoryId: string, { signal }: Request): Promise<Response> {
  const { body, contentType } = await client.openMedia(memoryId, 'audio', { signal });
  return new Response(body, { headers: { 'content-type': contentType ?? 'application/octet-stream' } });
}
// #endregion
