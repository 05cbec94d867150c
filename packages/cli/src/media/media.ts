import {
  createHmacMediaSigner,
  type MediaHostOptions,
  type MediaSecret,
  type MediaSource,
  type MediaUrlSigner,
} from '@memory-read/server';

/** Where media are, and who signs their URLs. */
export interface Media {
  /** What the service serves at `/media` itself; nothing when the URLs lead elsewhere. */
  host: Pick<MediaHostOptions, 'source' | 'secrets'> | undefined;
  createSigner(publicUrl: string): MediaUrlSigner;
}

/** Media that the service serves itself. */
export function createLocalMedia(source: MediaSource, secrets: readonly MediaSecret[]): Media {
  return {
    host: { source, secrets },
    createSigner: (publicUrl) => createHmacMediaSigner({ baseUrl: `${publicUrl}/media`, secrets }),
  };
}

/** Media that the storage serves. */
export function createS3Media(signer: MediaUrlSigner): Media {
  return { host: undefined, createSigner: () => signer };
}
