import { readdirSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MediaSource, MediaUrlSigner, MemoryStore, PlainResponse, StoredMemory } from '@memory-read/server';
import { createHmacMediaSigner, createInMemoryStore, createMediaHost, createMemoryApi } from '@memory-read/server';
import { createDirectoryMediaSource } from '@memory-read/server/node';
import { createS3MediaSigner } from '@memory-read/server/s3';
import { openSqliteStore } from '@memory-read/server/sqlite';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import type { addAccount } from '@memory-read/test-kit/memory-service';
import { sampleRecord, sampleRecords } from '@memory-read/test-kit/sample-memory';

/** A request, and what its response holds open. */
export interface OpenBody {
  fetch(request: Request): Promise<Response>;
  /** The same for `serve`. */
  respond(request: Request): Promise<Response | PlainResponse>;
  url: string;
  headers: Record<string, string>;
  /** Number of files, iterators and streams that are open. */
  held(): number;
  /** Whether the body fits into one chunk, so that nothing may stay open after the response. */
  isShort: boolean;
}

const secrets = [{ id: 'main', secret: 'a secret of at least 16 bytes' }];
const signer = createHmacMediaSigner({ baseUrl: 'http://127.0.0.1', secrets });
const s3Signer = createS3MediaSigner({
  endpoint: 'https://s3.eu-central-1.amazonaws.com',
  region: 'eu-central-1',
  bucket: 'example-media',
  credentials: async () => ({ accessKeyId: 'id', secretAccessKey: 'secret' }),
});
const media = { audio: { object_key: 'mem_1/audio.wav', content_type: 'audio/wav' } };
const long = 1_000_000;
const longTranscript = {
  segments: Array.from({ length: 2_000 }, (_, index) => ({
    speaker: 'Speaker 1',
    start_at: '2026-03-01T09:00:00.000Z',
    end_at: '2026-03-01T09:00:01.000Z',
    text: `Sentence ${index} of a long recording.`,
  })),
};

/** Every kind of body that a response can have. */
export const bodyKinds: Record<string, () => OpenBody | Promise<OpenBody>> = {
  'a small file': () => fileBody(1_000),
  'a file of exactly one chunk': () => fileBody(65_536),
  'an empty file': () => fileBody(0),
  'a large file': () => fileBody(long),
  'a short range of a large file': () => fileBody(long, 'bytes=500000-500099'),
  'a long range of a large file': () => fileBody(long, 'bytes=100-900000'),
  'media of a source that sends one chunk': () => streamBody(1),
  'media of a source that sends many chunks': () => streamBody(50),
  'a short list in memory': () => listBody(createInMemoryStore(), 3),
  'a long list in memory': () => listBody(createInMemoryStore(), 1_000),
  'a short list in SQLite': () => listBody(openSqliteStore({ path: join(makeFolder(), 'store.sqlite') }), 3),
  'a long list in SQLite': () => listBody(openSqliteStore({ path: join(makeFolder(), 'store.sqlite') }), 1_000),
  'a long list whose URLs S3 signs': () => listBody(createInMemoryStore(), 1_000, s3Signer),
  'a list of an iterator that is not a generator': () => iteratorBody(),
  'a long transcript in SQLite': () => transcriptBody(openSqliteStore({ path: join(makeFolder(), 'store.sqlite') })),
  'a long transcript in memory': () => transcriptBody(createInMemoryStore()),
};

function fileBody(size: number, range?: string): OpenBody {
  const folder = makeFolder();
  writeFileSync(join(folder, 'a.wav'), Buffer.alloc(size, 1));
  const openFiles = () =>
    readdirSync('/proc/self/fd').filter((descriptor) => linkOf(`/proc/self/fd/${descriptor}`).startsWith(folder))
      .length;
  return mediaBody(createDirectoryMediaSource({ path: folder }), {
    range,
    held: openFiles,
    isShort: size <= 65_536 || range === 'bytes=500000-500099',
  });
}

/** The descriptor that lists the folder is closed before its link is read. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

function streamBody(chunks: number): OpenBody {
  let held = 0;
  const source: MediaSource = {
    open: async () => ({
      size: chunks * 1_000,
      etag: '"1"',
      stream() {
        let left = chunks;
        held += 1;
        return new ReadableStream<Uint8Array>({
          pull(controller) {
            controller.enqueue(new Uint8Array(1_000));
            left -= 1;
            if (left > 0) return;
            held -= 1;
            controller.close();
          },
          cancel() {
            held -= 1;
          },
        });
      },
    }),
  };
  return mediaBody(source, { held: () => held, isShort: chunks === 1 });
}

function mediaBody(
  source: MediaSource,
  { range, ...facts }: Pick<OpenBody, 'held' | 'isShort'> & { range?: string | undefined },
): OpenBody {
  const { fetch } = createMediaHost({ source, secrets });
  const expiresAt = new Date(Date.now() + 3_600_000);
  const url = signer.sign({ objectKey: 'a.wav', contentType: 'audio/wav', expiresAt });
  return { fetch, respond: fetch, url, headers: range === undefined ? {} : { range }, ...facts };
}

type FilledStore = Parameters<typeof addAccount>[0] & MemoryStore;

async function listBody(store: FilledStore, count: number, mediaSigner?: MediaUrlSigner): Promise<OpenBody> {
  await store.putAccount({ userId: 'ada' });
  await store.putMemories(
    'ada',
    [...sampleRecords(count)].map((record) => ({ ...record, media })),
  );
  return apiBody(store, { path: '/v1/memories', isShort: count < 10, mediaSigner });
}

async function transcriptBody(store: FilledStore): Promise<OpenBody> {
  await store.putAccount({ userId: 'ada' });
  await store.putMemories('ada', [sampleRecord({ id: 'mem_1', transcript: longTranscript })]);
  return apiBody(store, { path: '/v1/memories/mem_1', isShort: true });
}

/** Counts the lists that have begun and not ended. */
function apiBody(store: MemoryStore, options: Omit<ServedOptions, 'held'>): OpenBody {
  let held = 0;
  const counting: MemoryStore = {
    getMemory: (query) => store.getMemory(query),
    async *listMemories(query) {
      held += 1;
      try {
        yield* store.listMemories(query);
      } finally {
        held -= 1;
      }
    },
  };
  return servedBody(counting, { ...options, held: () => held });
}

/** An iterator that only `return` releases, even after `next` has rejected or has ended. */
async function iteratorBody(): Promise<OpenBody> {
  const template = createInMemoryStore();
  await template.putAccount({ userId: 'ada' });
  await template.putMemories('ada', [sampleRecord({ id: 'mem_1' })]);
  const row = (await template.getMemory({ userId: 'ada', memoryId: 'mem_1' })) as StoredMemory;
  let held = 0;
  const listMemories = () => ({
    [Symbol.asyncIterator]() {
      let left = 500;
      held += 1;
      return {
        async next() {
          left -= 1;
          if (left < 0) return { done: true as const, value: undefined };
          return { done: false as const, value: { ...row, transcriptJson: undefined } };
        },
        async return() {
          held -= 1;
          return { done: true as const, value: undefined };
        },
      };
    },
  });
  return servedBody({ ...template, listMemories }, { path: '/v1/memories', held: () => held, isShort: false });
}

interface ServedOptions extends Pick<OpenBody, 'held' | 'isShort'> {
  path: string;
  mediaSigner?: MediaUrlSigner | undefined;
}

function servedBody(store: MemoryStore, { path, mediaSigner = signer, ...facts }: ServedOptions): OpenBody {
  const { fetch, respond } = createMemoryApi({ store, authenticate: async () => ({ userId: 'ada' }), mediaSigner });
  return { fetch, respond, url: `http://127.0.0.1${path}`, headers: { 'x-api-key': 'any' }, ...facts };
}
