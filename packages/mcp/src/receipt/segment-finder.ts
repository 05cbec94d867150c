import type { Passage } from './read-passage.ts';

/**
 * Returns a function that finds the first and the last segment of a part of a passage.
 *
 * Neither its starts nor its ends may decrease from call to call. So all calls together read each place only once.
 */
export function segmentFinder(
  places: Passage['places'],
): (start: number, end: number) => [first: number, last: number] {
  let first = 0;
  let last = 0;
  let next = 0;
  return (start, end) => {
    while (first < places.length && !((places[first]?.end ?? start) > start)) first += 1;
    for (; next < places.length; next += 1) {
      const place = places[next];
      if (place === undefined) continue;
      if (place.start >= end) break;
      last = next;
    }
    return [first, last];
  };
}
