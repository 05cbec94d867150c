import { type Command, Option } from 'commander';

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
