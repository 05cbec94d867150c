import type { InvalidResponseError } from '../errors/errors.ts';
import type { ResponseIssue } from './response-issue.ts';
import { isObject } from './shape.ts';

/** An item of a list that breaks the structure. */
export interface BadItem {
  /** Undefined if the item has no readable id. */
  readonly memoryId: string | undefined;
  /** First issue of the item. */
  readonly issue: ResponseIssue;
}

/** The items that were left out of a list. */
export interface LeftOut {
  readonly items: readonly BadItem[];
  /** Returns the error about some of the items. Not called if there are none. */
  readonly createError: (items: readonly BadItem[]) => InvalidResponseError;
}

/** Returns the id of an item; undefined if it is not readable. */
export function idOf(item: unknown): string | undefined {
  return isObject(item) && typeof item.id === 'string' && item.id !== '' ? item.id : undefined;
}
