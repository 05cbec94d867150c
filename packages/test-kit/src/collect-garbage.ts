import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Runs the garbage collector. A weak reference holds its target until the next turn. */
export async function collectGarbage(): Promise<void> {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  for (let turn = 0; turn < 3; turn += 1) {
    await new Promise(setImmediate);
    collect();
  }
}
