import { systemClock } from '@memory-read/contract/date-time';
import { localExpiry } from '../media/media-expiry.ts';
import { mediaUrlExpiresAt } from '../media/media-url.ts';
import { passFacts, type ResponseInfo, responseInfo } from '../response-info.ts';
import { isPlainObject } from '../validation/is-plain-object.ts';

/** A URL with a shorter lifetime is not kept, because the next read would follow at once. */
export const SHORTEST_INTERVAL = 60_000;
const HOUR = 3_600_000;
/** Deeper parts are not compared, so that no data can exhaust the stack. */
const DEEPEST = 100;

/**
 * Returns the fresh data, in which everything that is deeply equal to the old data is the old object.
 *
 * A media URL that differs only in its signature is kept while it expires later than in `margin` plus one minute.
 * Neither side is changed. `responseInfo` of a returned memory or list is that of the fresh response. So a frozen one is
 * replaced by a copy.
 */
export function shareData<Fresh>(old: unknown, fresh: Fresh, margin: number): Fresh {
  const now = systemClock.now().getTime();
  // A repeated object gets its first result, which also ends a circle.
  const results = new Map<object, unknown>();

  let depth = 0;

  function share(before: unknown, after: unknown, outer: Responses): unknown {
    if (before === after || !isContainer(after) || depth === DEEPEST) return after;
    if (results.has(after)) return results.get(after);
    results.set(after, after);
    depth += 1;
    const info = responseInfo(after);
    const responses = info ? { before: isContainer(before) ? responseInfo(before) : undefined, after: info } : outer;
    const shared = Array.isArray(after) ? shareArray(before, after, responses) : shareObject(before, after, responses);
    depth -= 1;
    const result = shared === after ? after : passFacts(after, shared);
    results.set(after, result);
    return result;
  }

  /** Memories are compared by their id, so that a new one at the front does not change the others. */
  function shareArray(before: unknown, after: unknown[], responses: Responses): unknown[] {
    if (!Array.isArray(before)) return after;
    const byId = new Map(before.map((item) => [idOf(item), item]));
    const items = after.map((item, index) => {
      const id = idOf(item);
      return share(id === undefined ? before[index] : byId.get(id), item, responses);
    });
    const isEqual = before.length === items.length && items.every((item, index) => item === before[index]);
    return isEqual ? before : items;
  }

  function shareObject(before: unknown, after: object, responses: Responses): object {
    if (!isContainer(before) || Array.isArray(before)) return after;
    const known = new Map(Object.entries(before));
    const entries = Object.entries(after).map(([name, value]): [string, unknown] => {
      const old = known.get(name);
      return [name, name.endsWith('_url') && isKept(old, value, responses) ? old : share(old, value, responses)];
    });
    const isEqual =
      entries.length === known.size && entries.every(([name, value]) => known.has(name) && known.get(name) === value);
    return isEqual ? before : Object.fromEntries(entries);
  }

  function isKept(before: unknown, after: unknown, responses: Responses): boolean {
    if (typeof before !== 'string' || typeof after !== 'string' || withoutQuery(before) !== withoutQuery(after))
      return false;
    const stated = mediaUrlExpiresAt(before);
    if (stated === undefined) return false;
    const endBy = (info: ResponseInfo | undefined) =>
      info ? localExpiry(before, info).getTime() : Math.min(stated.getTime(), now + HOUR);
    const end = endBy(responses.after);
    // The response of the data will be the fresh one, which must not give the old URL a later expiry than its own did.
    const isEqual = !responses.after || Boolean(responses.before && end - endBy(responses.before) <= SHORTEST_INTERVAL);
    return isEqual && end - now > margin + SHORTEST_INTERVAL;
  }

  return share(old, fresh, {}) as Fresh;
}

/** The responses that the URLs came with; undefined if they are unknown. */
interface Responses {
  readonly before?: ResponseInfo | undefined;
  readonly after?: ResponseInfo | undefined;
}

function isContainer(value: unknown): value is object {
  return Array.isArray(value) || isPlainObject(value);
}

function idOf(item: unknown): unknown {
  return isPlainObject(item) ? (item as { id?: unknown }).id : undefined;
}

function withoutQuery(url: string): string {
  return url.replace(/\?.*$/s, '');
}
