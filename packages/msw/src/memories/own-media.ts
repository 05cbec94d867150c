import type { MediaKind, MemoryRecord } from '@memory-read/contract';
import { mediaKinds } from '@memory-read/contract/fields';
import type { MediaObject } from '@memory-read/server';
import { formatValue } from '../checks/format-value.ts';
import { assertFields } from './assert-overrides.ts';
import type { MediaBytes, MediaOverride, MemoryOverrides } from './memory-overrides.ts';
import { ordinaryMedia } from './ordinary-memory.ts';

/** The media of a memory, and the objects whose bytes the test passed, by object key. */
export interface SplitMedia {
  media: MemoryRecord['media'];
  ownMedia: ReadonlyMap<string, MediaObject>;
}

/**
 * Gives each file of the test an object key. The store checks everything else.
 *
 * @throws TypeError if a file has no bytes. Also what a function of the test throws.
 */
export function splitMedia(action: string, memoryId: string, overrides: MemoryOverrides['media']): SplitMedia {
  const media: Record<string, unknown> = { ...overrides };
  const ownMedia = new Map<string, MediaObject>();
  for (const kind of mediaKinds) {
    const own = ownFileOf(action, kind, overrides?.[kind]);
    if (own === undefined) continue;
    const object_key = `${memoryId}/${kind}`;
    media[kind] = { object_key, content_type: own.content_type ?? ordinaryMedia(memoryId)[kind].content_type };
    ownMedia.set(object_key, toMediaObject(own.bytes, { action, kind }));
  }
  return { media: (ownMedia.size === 0 ? overrides : media) as MemoryRecord['media'], ownMedia };
}

function ownFileOf(action: string, kind: MediaKind, given: MediaOverride | undefined) {
  // Any other object is meant as bytes.
  if (typeof given === 'function' || (typeof given === 'object' && given !== null && tagOf(given) !== 'Object')) {
    return { bytes: given as MediaBytes, content_type: undefined };
  }
  if (!given || !Object.hasOwn(given, 'bytes')) return undefined;
  assertFields(action, { path: `media.${kind}`, value: given, names: ['content_type', 'bytes'] });
  return given as Extract<MediaOverride, { bytes: unknown }>;
}

/** Reads a function once as a whole, because the size and the entity tag depend on all bytes. */
function toMediaObject(given: MediaBytes, { action, kind }: { action: string; kind: MediaKind }): MediaObject {
  const whole: unknown = typeof given === 'function' ? given() : given;
  if (tagOf(whole) !== 'Uint8Array') {
    const subject = typeof given === 'function' ? `the function of media.${kind} returned` : `media.${kind} has`;
    const found = typeof whole === 'object' && whole !== null ? `a value of type ${tagOf(whole)}` : formatValue(whole);
    throw new TypeError(
      `Failed to ${action}: ${subject} ${found} instead of bytes. Pass a Uint8Array, a function that returns one, or object_key and content_type.`,
    );
  }
  // The test can write into its array later.
  const bytes = Uint8Array.from(whole as Uint8Array);
  const { length: size } = bytes;
  const read =
    typeof given === 'function'
      ? given
      : (range: { start: number; end: number }) => bytes.subarray(range.start, range.end + 1);
  return {
    size,
    etag: `"${size}-${checksum(bytes).toString(36)}"`,
    stream(range = { start: 0, end: size - 1 }) {
      const part: unknown = read(range);
      const expected = range.end + 1 - range.start;
      if (tagOf(part) !== 'Uint8Array' || (part as Uint8Array).length !== expected) {
        throw new TypeError(
          `Failed to serve media.${kind}: its function did not return the ${expected} bytes of the range ${range.start} to ${range.end}. Both ends are included.`,
        );
      }
      return new Blob([Uint8Array.from(part as Uint8Array)]).stream();
    },
  };
}

/** `instanceof` would reject an array of another realm, such as jsdom's. */
function tagOf(value: unknown): string {
  return Object.prototype.toString.call(value).slice('[object '.length, -1);
}

/** Computes FNV-1a. */
function checksum(bytes: Uint8Array): number {
  let state = 0x811c9dc5;
  for (const byte of bytes) state = Math.imul(state ^ byte, 0x01000193);
  return state >>> 0;
}
