import type { CliProcess } from './terminal/cli-process.ts';
import { versionOfPackage } from './version-of-package.ts';

/** Prints the version. The code that reports a failure is loaded only if there is one. */
export function printVersion(process: CliProcess): void {
  process.stdout.on('error', () => {});
  process.stdout.write(`${versionOfPackage()}\n`, (error) => {
    if (error) void reportWriteFailure(process, error);
  });
}

async function reportWriteFailure(process: CliProcess, error: Error): Promise<void> {
  const [{ runToEnd }, { throwUnlessPipeClosed }] = await Promise.all([
    import('./run-to-end.ts'),
    import('./terminal/print.ts'),
  ]);
  await runToEnd(process, async () => throwUnlessPipeClosed(error));
}
