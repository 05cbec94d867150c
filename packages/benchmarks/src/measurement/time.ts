import { type Rounds, runRounds } from './run-rounds.ts';

/** Milliseconds that the work takes. */
export async function time(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Microseconds of the clock that one of `count` calls takes, made one after the other. */
export async function timePerCall(count: number, call: () => unknown): Promise<number> {
  const total = await time(async () => {
    for (let index = 0; index < count; index += 1) await call();
  });
  return (total * 1_000) / count;
}

/** Microseconds of this process, with all its threads, that one of `count` calls takes. A server and neighbours do not count. */
export async function processorTimePerCall(count: number, call: () => unknown): Promise<number> {
  const start = process.cpuUsage();
  for (let index = 0; index < count; index += 1) await call();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / count;
}

/** Microseconds a call, of each contender in each round. */
export function timeCalls<Name extends string>(
  calls: Record<Name, () => unknown>,
  { rounds, count, by = timePerCall }: { rounds: number; count: number; by?: typeof timePerCall },
): Promise<Rounds<Name>> {
  const contenders = Object.entries<() => unknown>(calls).map(([name, call]) => [name, () => by(count, call)]);
  return runRounds(rounds, Object.fromEntries(contenders) as Record<Name, () => Promise<number>>);
}
