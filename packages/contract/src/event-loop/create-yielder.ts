export interface YielderParts {
  /** Milliseconds of a clock that never jumps. */
  now: () => number;
  /** Runs a callback in a later turn of the event loop. */
  macrotask: (run: () => void) => void;
  /** How many milliseconds all loops together may use of one turn. */
  budgetMs: number;
}

/**
 * Returns a function that a loop calls in each round: undefined while the turn has time left, else a promise of a later turn.
 *
 * Loops that wait continue in their order, one in each turn. So a turn is as short with a hundred loops as with one.
 */
export function createYielder({ now, macrotask, budgetMs }: YielderParts): () => Promise<void> | undefined {
  const waiting: (() => void)[] = [];
  let began: number | undefined;

  function useTurn(): void {
    began = now();
    macrotask(nextTurn);
  }

  function nextTurn(): void {
    began = undefined;
    const resume = waiting.shift();
    if (resume === undefined) return;
    useTurn();
    resume();
  }

  return () => {
    if (began === undefined) useTurn();
    else if (now() - began >= budgetMs) return new Promise((resolve) => waiting.push(resolve));
    return undefined;
  };
}
