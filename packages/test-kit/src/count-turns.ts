/** Counts the turns of the event loop until the work has settled. Work that never lets it turn counts 0. */
export async function countTurns(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  const count = () => {
    turns += 1;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  try {
    await work();
  } finally {
    clearImmediate(next);
  }
  return turns;
}
