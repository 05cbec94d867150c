import { statSync } from 'node:fs';
import { join } from 'node:path';
import { makeDirectory } from '../files/make-directory.ts';

/** Returns the path of a file to write. In a folder, which is created if `output` ends with a slash, it gets this name. */
export async function outputPath(output: string, name: () => string | Promise<string>): Promise<string> {
  if (output.endsWith('/')) makeDirectory(output);
  return statSync(output, { throwIfNoEntry: false })?.isDirectory() ? join(output, await name()) : output;
}
