import type { InvalidResponseError } from '../errors/invalid-response-error.ts';

/** The items of a list that were left out, because they break the structure. */
export interface LeftOut {
  /** Ids of the items. An item without a readable id has an empty one. */
  readonly memoryIds: ReadonlySet<string>;
  createError(): InvalidResponseError;
}

const leftOut = new WeakMap<object, LeftOut>();

export function setLeftOut(list: object, items: LeftOut): void {
  leftOut.set(list, items);
}

/** Returns what was left out of a list; undefined if nothing was. */
export function leftOutOf(list: object): LeftOut | undefined {
  return leftOut.get(list);
}
