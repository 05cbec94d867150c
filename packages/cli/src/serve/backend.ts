import { dirname } from 'node:path';
import {
  createHmacMediaSigner,
  createInMemoryStore,
  type MediaHostOptions,
  type MediaSecret,
  type MediaSource,
  type MediaUrlSigner,
} from '@memory-read/server';
import { createDirectoryMediaSource } from '@memory-read/server/node';
import { createDemoMedia } from '../demo/demo-media.ts';
import { makeDirectory } from '../files/make-directory.ts';
import { createMediaSecret, openMediaSecrets, readMediaSecrets } from '../storage/media-secrets.ts';
import { assertFileExists, openStorage } from '../storage/open-storage.ts';
import { checkReads, type Storage } from '../storage/storage.ts';
import type { StorageOptions } from '../storage/storage-options.ts';
import { CommandError, exitCodes } from '../terminal/command-error.ts';
import { openS3MediaSigner, type S3MediaOptions } from './s3-media-options.ts';

/** Storage, media and signer of a server. */
export interface Backend {
  storage: Storage;
  media: Media;
  /** Location of the data, for messages. */
  place: string;
}

export interface BackendOptions extends StorageOptions, S3MediaOptions {
  mediaDir: string;
  /** `env:NAME` or `file:PATH`. */
  mediaSecrets?: string | undefined;
  demo?: boolean | undefined;
  /** Whether to create a missing SQLite file. */
  create?: boolean | undefined;
}

export const defaultMediaDirectory = './memory-read-data/media';

/**
 * Opens a SQLite file or a PostgreSQL database, and a media directory unless the media are in S3.
 *
 * A missing SQLite file is created only for a demo and with `create`. Directories are created only for a demo and for the
 * default path: any other missing directory is most likely misspelt. Rejects with the signal's reason if the opening is aborted.
 */
export async function openBackend(options: BackendOptions, interruption: AbortSignal): Promise<Backend> {
  const { db, postgres, mediaDir, demo, create, s3Bucket } = options;
  const s3Signer = openS3MediaSigner(options, options.process.env);
  if (s3Signer === undefined) assertSharedSecrets(options);
  if (demo && postgres === undefined) makeDirectory(dirname(db));
  if (!demo && !create && postgres === undefined) {
    assertFileExists(db, {
      ifMissing: 'Check --db, pass --create to make it, or --demo to try the server',
      ifEmpty: 'Restore a backup, or pass --create',
    });
  }
  // A named directory and given secrets are checked first, so that a failure leaves no new database.
  const openMedia = s3Signer ? () => createS3Media(s3Signer) : openMediaDirectory(options);
  const storage = await openStorage(options, interruption);
  try {
    const mediaPlace = s3Bucket === undefined ? mediaDir : `the bucket ${s3Bucket}`;
    return {
      storage,
      media: openMedia(storage),
      place: `${postgres === undefined ? db : postgres.name}, media in ${mediaPlace}`,
    };
  } catch (error) {
    await storage.close();
    throw error;
  }
}

/** Replicas must share their secrets, because each verifies URLs that another one signed. */
function assertSharedSecrets({ postgres, mediaSecrets }: BackendOptions): void {
  if (postgres === undefined || mediaSecrets !== undefined) return;
  throw new CommandError(
    exitCodes.usage,
    'Failed to start: --postgres needs --media-secrets, shared by all servers of the database. Pass env:NAME or file:PATH.',
  );
}

function openMediaDirectory(options: BackendOptions): (storage: Storage) => Media {
  const { process, mediaDir, mediaSecrets, demo } = options;
  const canCreate = demo || mediaDir === defaultMediaDirectory;
  const openSource = () => createDirectoryMediaSource({ path: mediaDir });
  if (!canCreate) openSource();
  const given = mediaSecrets === undefined ? undefined : readMediaSecrets(mediaSecrets, process.env);
  return (storage) => {
    if (canCreate) makeDirectory(mediaDir);
    return createLocalMedia(createDemoMedia(storage, openSource()), given ?? openMediaSecrets(options.db));
  };
}

/** Creates a backend that lasts as long as the process. */
export function createInMemoryBackend({
  process,
  mediaSecrets,
}: Pick<BackendOptions, 'process' | 'mediaSecrets'>): Backend {
  const store = createInMemoryStore();
  const secrets = mediaSecrets === undefined ? [createMediaSecret()] : readMediaSecrets(mediaSecrets, process.env);
  return {
    storage: { ...store, checkReadiness: () => checkReads(store), async close() {} },
    media: createLocalMedia(createDemoMedia(store), secrets),
    place: 'memory, until the server ends',
  };
}

/** Source of the media, and the signer of their URLs. */
interface Media {
  /** Options of the media host at `/media`. Undefined if the URLs point to another host. */
  host: Pick<MediaHostOptions, 'source' | 'secrets'> | undefined;
  createSigner(publicUrl: string): MediaUrlSigner;
}

/** Returns media that the service serves itself. */
function createLocalMedia(source: MediaSource, secrets: readonly MediaSecret[]): Media {
  return {
    host: { source, secrets },
    createSigner: (publicUrl) => createHmacMediaSigner({ baseUrl: `${publicUrl}/media`, secrets }),
  };
}

/** Returns media that an S3 storage serves. */
function createS3Media(signer: MediaUrlSigner): Media {
  return { host: undefined, createSigner: () => signer };
}
