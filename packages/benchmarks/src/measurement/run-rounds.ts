/** What each side of a comparison measured, round by round. */
export type Rounds<Name extends string, Result = number> = Record<Name, Result[]>;

/**
 * Runs all contenders in each round, so that whatever disturbs the machine disturbs all of them. Every second round runs
 * backwards, so that none pays for the garbage of always the same neighbour. Each two rounds begin with another one. A
 * first round is run that does not count.
 */
export async function runRounds<Name extends string, Result = number>(
  count: number,
  contenders: Record<Name, () => Result | Promise<Result>>,
): Promise<Rounds<Name, Result>> {
  const names = Object.keys(contenders) as Name[];
  const rounds = Object.fromEntries(names.map((name) => [name, [] as Result[]])) as Rounds<Name, Result>;
  for (let round = -1; round < count; round += 1) {
    const start = Math.floor((round + 1) / 2) % names.length;
    const order = [...names.slice(start), ...names.slice(0, start)];
    for (const name of round % 2 === 0 ? order.reverse() : order) {
      const result = await contenders[name]();
      if (round >= 0) rounds[name].push(result);
    }
  }
  return rounds;
}
