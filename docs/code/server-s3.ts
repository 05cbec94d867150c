import { createS3MediaSigner } from '@memory-read/server/s3';

const accessKeyId = 'AKIAIOSFODNN7EXAMPLE';
const secretAccessKey = process.env.MEDIA_SECRET ?? '';
const expiresAt = new Date(Date.now() + 3_600_000);

// #region s3-media-signer
const mediaSigner = createS3MediaSigner({
  endpoint: 'https://s3.eu-central-1.amazonaws.com',
  region: 'eu-central-1',
  bucket: 'example-media',
  credentials: { accessKeyId, secretAccessKey },
});
const url = await mediaSigner.sign({ objectKey: 'mem_1/audio.wav', contentType: 'audio/wav', expiresAt });
// #endregion
console.log(url.split('?')[0]);
