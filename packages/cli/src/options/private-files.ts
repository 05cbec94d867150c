import type { CliProcess } from '../terminal/cli-process.ts';

/** Sets the umask during some work, so that each file and folder that it creates is private from the first byte on. */
export async function withPrivateFiles<Result>(process: CliProcess, work: () => Promise<Result>): Promise<Result> {
  const mask = process.umask(0o077);
  process.umask(mask | 0o077);
  try {
    return await work();
  } finally {
    process.umask(mask);
  }
}
