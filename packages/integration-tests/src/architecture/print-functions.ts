import { Session } from 'node:inspector/promises';

/** Runs work, and prints the functions of a package that it called, by file, with their number and that of the calls. */
export async function printFunctions(sources: URL, work: () => Promise<void>): Promise<void> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await work();
  await session.post('Profiler.takePreciseCoverage');
  await work();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const called = result
    .filter(({ url }) => url.startsWith(sources.href))
    .map(({ url, functions }) => ({
      file: url.slice(sources.href.length),
      functions: functions.flatMap(({ functionName, ranges: [range] }) =>
        range !== undefined && range.count > 0 ? { name: functionName || '(anonymous)', calls: range.count } : [],
      ),
    }))
    .filter(({ functions }) => functions.length > 0);
  for (const { file, functions } of called) console.log(`${file}: ${functions.map(({ name }) => name).join(', ')}`);
  const all = called.flatMap(({ functions }) => functions);
  const calls = all.reduce((sum, one) => sum + one.calls, 0);
  console.log(`${called.length} files, ${all.length} functions, ${calls} calls`);
}
