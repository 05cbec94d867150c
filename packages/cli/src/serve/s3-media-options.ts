import type { MediaUrlSigner } from '@memory-read/server';
import { createS3MediaSigner, type S3Credentials } from '@memory-read/server/s3';
import { type Command, Option } from 'commander';
import { asUsageError, usageError } from '../terminal/command-error.ts';

/** Location of the media in S3. Credentials come from the environment. */
export interface S3MediaOptions {
  s3Endpoint?: string | undefined;
  s3Region?: string | undefined;
  s3Bucket?: string | undefined;
  s3ForcePathStyle?: boolean | undefined;
}

/** Options that use media on this machine. `--in-memory` implies `--demo`. */
const localMedia = ['mediaDir', 'mediaSecrets', 'demo'];

export function addS3MediaOptions(command: Command): Command {
  const options = [
    new Option('--s3-endpoint <url>', 'S3-compatible storage that media URLs point to'),
    new Option('--s3-region <region>', 'region of that storage'),
    new Option('--s3-bucket <bucket>', 'bucket with the media'),
    new Option('--s3-force-path-style', 'put the bucket name in the path, not in the host name'),
  ];
  for (const option of options) command.addOption(option.conflicts(localMedia));
  return command;
}

/**
 * Returns a signer for S3 if the options name a bucket; `undefined` without any S3 option.
 *
 * @throws CommandError if an option or a credential is missing or invalid.
 */
export function openS3MediaSigner(options: S3MediaOptions, environment: NodeJS.ProcessEnv): MediaUrlSigner | undefined {
  const { s3Endpoint: endpoint, s3Region: region, s3Bucket: bucket, s3ForcePathStyle: forcePathStyle } = options;
  if (endpoint === undefined && region === undefined && bucket === undefined && !forcePathStyle) return undefined;
  if (endpoint === undefined) throw missing('--s3-endpoint');
  if (region === undefined) throw missing('--s3-region');
  if (bucket === undefined) throw missing('--s3-bucket');
  const credentials = credentialsIn(environment);
  try {
    return createS3MediaSigner({ endpoint, region, bucket, forcePathStyle, credentials });
  } catch (error) {
    throw asUsageError(error, 'Failed to create an S3', (message) =>
      message.replace('Set forcePathStyle to true', 'Pass --s3-force-path-style'),
    );
  }
}

function missing(option: string): Error {
  return usageError(`the S3 options: ${option} is missing. Pass --s3-endpoint, --s3-region and --s3-bucket together.`);
}

/** Reads the credentials from the variables that all S3 tools use. An empty variable counts as missing. */
function credentialsIn(environment: NodeJS.ProcessEnv): S3Credentials {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_SESSION_TOKEN } = environment;
  if (accessKeyId && secretAccessKey)
    return { accessKeyId, secretAccessKey, sessionToken: AWS_SESSION_TOKEN || undefined };
  const name = accessKeyId ? 'AWS_SECRET_ACCESS_KEY' : 'AWS_ACCESS_KEY_ID';
  throw usageError(
    `the S3 credentials: the environment variable ${name} is not set. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and AWS_SESSION_TOKEN for temporary credentials.`,
  );
}
