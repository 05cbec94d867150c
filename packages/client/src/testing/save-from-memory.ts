import { sampleMemory } from '@memory-read/test-kit/sample-memory';
import { MemoryClient } from '../index.ts';
import { type SavedMedia, saveMedia } from '../node/save-media.ts';
import { answerWith, type StorageObject } from './storage-object.ts';

/** Saves a recording to a path, without a network. If the storage cuts the body, it then refuses to send the rest. */
export function saveFromMemory(path: string, object: StorageObject): Promise<SavedMedia> {
  const audio_url = 'https://storage.example.com/a.wav';
  let answers = 0;
  const fetch = async (request: Request) => {
    if (new URL(request.url).host === 'api.example.com') return Response.json(sampleMemory({ audio_url }));
    answers += 1;
    return answers > 1 && object.cutAfter ? new Response('x', { status: 451 }) : answerWith(request, object);
  };
  const client = new MemoryClient({ baseUrl: 'https://api.example.com', apiKey: 'sk', fetch });
  return saveMedia(client, 'mem_1', 'audio', path);
}
