import type { MirrorDatabase } from '../database/mirror-database.ts';
import { readSetting, writeSetting } from '../database/settings.ts';

/** Position of a memory in the order of the index: the slot of its start, and its number in that slot. */
export interface IndexPosition {
  startSlot: number;
  disambiguator: number;
}

// A key of the index has 34 bits for the slot and 13 bits for the number.
const LAST_SLOT = 2 ** 34 - 1;
const SLOT_CAPACITY = 2 ** 13;

const EXACT_SINCE = Date.UTC(1900, 0) / 1000;
const EXACT_UNTIL = Date.UTC(2200, 0) / 1000;
const COARSE_SECONDS = 60;
/** Slots before 1900: one for each minute of 1,901 years. */
const EARLY_SLOTS = 1_000_000_000;

/** Returns the slot of an instant: a second in the years 1900 to 2199, a minute in other years up to 9999. */
export function slotOf(instant: number): number {
  const second = Math.floor(instant / 1000);
  const exact = Math.min(Math.max(second, EXACT_SINCE), EXACT_UNTIL);
  const slot = EARLY_SLOTS + exact - EXACT_SINCE + Math.floor((second - exact) / COARSE_SECONDS);
  return Math.min(Math.max(slot, 0), LAST_SLOT);
}

/** Returns the last slot in which a memory that starts before an instant can be. */
export function lastSlotOf(database: MirrorDatabase, instant: number): number {
  return Math.min(slotOf(instant) + spilledSlots(database), LAST_SLOT);
}

/** Returns a free position for a memory with this start. If the slot is full, the position is in a later one. */
export function findPosition(database: MirrorDatabase, instant: number): IndexPosition {
  const read = database.prepare(
    'SELECT count(*) AS used, max(disambiguator) AS last FROM memories WHERE start_slot = ?',
  );
  // After a purge, numbers in the middle are free.
  const gap = database.prepare(
    `SELECT min(disambiguator) + 1 AS free FROM (SELECT -1 AS disambiguator UNION ALL SELECT disambiguator FROM memories
      WHERE start_slot = ?1) AS used WHERE NOT EXISTS (SELECT 1 FROM memories
      WHERE start_slot = ?1 AND memories.disambiguator = used.disambiguator + 1)`,
  );
  const wanted = slotOf(instant);
  for (let startSlot = wanted; ; startSlot += 1) {
    const { used, last } = read.get(startSlot) as { used: number; last: number | null };
    if (used === SLOT_CAPACITY) continue;
    if (startSlot - wanted > spilledSlots(database)) writeSetting(database, 'spilled_slots', `${startSlot - wanted}`);
    const next = (last ?? -1) + 1;
    return { startSlot, disambiguator: next < SLOT_CAPACITY ? next : Number(gap.get(startSlot)?.free) };
  }
}

/** Returns the largest distance of any memory from its slot, so far. */
export function spilledSlots(database: MirrorDatabase): number {
  return Number(readSetting(database, 'spilled_slots') ?? 0);
}
