import {
  createHmacMediaSigner,
  type MediaHostOptions,
  type MediaSecret,
  type MediaSource,
  type MediaUrlSigner,
} from '@memory-read/server';

/** Source of the media, and the signer of their URLs. */
export interface Media {
  /** Options of the media host at `/media`. Undefined if the URLs point to another host. */
  host: Pick<MediaHostOptions, 'source' | 'secrets'> | undefined;
  createSigner(publicUrl: string): MediaUrlSigner;
}

/** Returns media that the service serves itself. */
export function createLocalMedia(source: MediaSource, secrets: readonly MediaSecret[]): Media {
  return {
    host: { source, secrets },
    createSigner: (publicUrl) => createHmacMediaSigner({ baseUrl: `${publicUrl}/media`, secrets }),
  };
}

/** Returns media that an S3 storage serves. */
export function createS3Media(signer: MediaUrlSigner): Media {
  return { host: undefined, createSigner: () => signer };
}
