/**
 * Media URLs for Amazon S3 and whatever speaks its protocol: no SDK, in any runtime.
 *
 * @packageDocumentation
 */

export { createS3MediaSigner, type S3MediaSignerOptions } from './create-s3-media-signer.ts';
export type { S3Credentials, S3CredentialsProvider, ShortCredentials } from './s3-credentials.ts';
