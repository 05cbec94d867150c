import { createHmac } from 'node:crypto';
import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { createHmacMediaSigner, type MediaUrlSigner } from '@memory-read/server';
import { createS3MediaSigner } from '@memory-read/server/s3';
import { mediaSecrets } from './media-secrets.ts';

const objects = [
  { objectKey: 'mem_1/audio.wav', contentType: 'audio/wav' },
  { objectKey: 'mem_1/video.webm', contentType: 'video/webm' },
  { objectKey: 'mem_1/preview.png', contentType: 'image/png' },
];
const lifetimeSeconds = 3_600;
const region = 'eu-central-1';
const bucket = 'example-media';
const credentials = { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'only-for-measurements' };

const hmacSigner = createHmacMediaSigner({ baseUrl: 'http://127.0.0.1/media', secrets: mediaSecrets });
const s3Signer = createS3MediaSigner({ endpoint: `https://s3.${region}.amazonaws.com`, region, bucket, credentials });
const aws = new S3Client({ region, credentials });
const secret = new TextEncoder().encode(mediaSecrets[0]?.secret ?? '');
const webCryptoKey = await crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);

/** Ways to sign the three URLs of a memory. */
export const signThree = {
  hmac: () => signWith(hmacSigner),
  sigV4: () => signWith(s3Signer),
  /** The same text, put together and signed by WebCrypto, one after the other. */
  async webCrypto(): Promise<string[]> {
    const urls: string[] = [];
    for (const { objectKey, contentType } of objects) {
      const text = textToSign(objectKey, contentType);
      const signature = await crypto.subtle.sign('HMAC', webCryptoKey, new TextEncoder().encode(text));
      urls.push(toUrl({ objectKey, contentType, signature: Buffer.from(signature).toString('base64url') }));
    }
    return urls;
  },
  /** The same text, put together and signed by `node:crypto`. */
  nodeCrypto(): string[] {
    return objects.map(({ objectKey, contentType }) => {
      const signature = createHmac('sha256', secret).update(textToSign(objectKey, contentType)).digest('base64url');
      return toUrl({ objectKey, contentType, signature });
    });
  },
  async awsSdk(): Promise<string[]> {
    const urls: string[] = [];
    for (const { objectKey, contentType } of objects) {
      const command = new GetObjectCommand({ Bucket: bucket, Key: objectKey, ResponseContentType: contentType });
      urls.push(await getSignedUrl(aws, command, { expiresIn: lifetimeSeconds }));
    }
    return urls;
  },
};

/** Waits only if the signer returns a promise, like the server. */
function signWith(signer: MediaUrlSigner): (string | Promise<string>)[] {
  const expiresAt = new Date(Date.now() + lifetimeSeconds * 1_000);
  return objects.map((object) => signer.sign({ ...object, expiresAt }));
}

function expiry(): number {
  return Math.floor(Date.now() / 1_000) + lifetimeSeconds;
}

function textToSign(objectKey: string, contentType: string): string {
  return `${objectKey}\n${contentType}\n${expiry()}\n${mediaSecrets[0]?.id}`;
}

function toUrl(grant: { objectKey: string; contentType: string; signature: string }): string {
  const type = encodeURIComponent(grant.contentType);
  return `http://127.0.0.1/media/${grant.objectKey}?expires=${expiry()}&type=${type}&key=bench&signature=${grant.signature}`;
}
