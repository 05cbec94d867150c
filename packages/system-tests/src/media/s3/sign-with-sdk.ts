import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { S3MediaSignerOptions } from '@memory-read/server/s3';

/** The parts of a presigned GET. */
export interface SignedGet extends Omit<S3MediaSignerOptions, 'clock' | 'credentials'> {
  credentials: { accessKeyId: string; secretAccessKey: string; sessionToken?: string };
  objectKey: string;
  contentType: string;
  /** Unix time in seconds. */
  signedAt: number;
  lifetimeSeconds: number;
}

/** Signs like the AWS SDK, without the operation id, the checksums and the payload hash that it would add. */
export async function signWithSdk({
  bucket,
  objectKey,
  contentType,
  signedAt,
  lifetimeSeconds,
  ...options
}: SignedGet): Promise<string> {
  const client = new S3Client({
    ...options,
    forcePathStyle: options.forcePathStyle ?? false,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  client.middlewareStack.add(
    (next) => (args) => {
      delete (args.request as { query: Record<string, unknown> }).query['x-id'];
      return next(args);
    },
    { step: 'build' },
  );
  const command = new GetObjectCommand({ Bucket: bucket, Key: objectKey, ResponseContentType: contentType });
  return getSignedUrl(client, command, {
    signingDate: new Date(signedAt * 1000),
    expiresIn: lifetimeSeconds,
    unhoistableHeaders: new Set(['x-amz-content-sha256']),
    unsignableHeaders: new Set(['x-amz-content-sha256']),
  });
}
