import { versionOfPackage } from './version-of-package.ts';

/** Answers `--version`; what tells of a failure is loaded only where there is one. */
export function printVersion(): void {
  process.stdout.on('error', () => {});
  process.stdout.write(`${versionOfPackage()}\n`, (error) => {
    if (error) void tellFailure(error);
  });
}

async function tellFailure(error: Error): Promise<void> {
  const [{ runToEnd }, { throwUnlessReaderGone }] = await Promise.all([
    import('./run-to-end.ts'),
    import('./terminal/print.ts'),
  ]);
  await runToEnd(async () => throwUnlessReaderGone(error));
}
