/**
 * Signs media URLs for Amazon S3 and compatible storages, without an SDK and in every runtime.
 *
 * @packageDocumentation
 */

export { createS3MediaSigner, type S3MediaSignerOptions } from './create-s3-media-signer.ts';
export type { S3Credentials, S3CredentialsProvider, ShortCredentials } from './s3-credentials.ts';
