import type { MemoryRecord } from '@memory-read/contract';
import { type Clock, type StoredMemory, toStoredMemory } from '@memory-read/server';
import { assertOptions } from '../checks/assert-options.ts';
import { formatValue } from '../checks/format-value.ts';
import { notFoundError } from '../checks/unknown-name-error.ts';
import { assertOverrides } from './assert-overrides.ts';
import { type MemoryOverrides, type Overridden, withoutUndefined } from './memory-overrides.ts';
import type { MockStore } from './mock-store.ts';
import { generatedFields, ordinaryMemory } from './ordinary-memory.ts';
import { splitMedia } from './own-media.ts';
import { toMemoryRecord } from './to-memory-record.ts';

/**
 * Changes the memories of a mock. Each change takes effect at once. Returned memories are copies.
 *
 * Methods refuse an unknown id, unknown fields and wrong types at any depth, with an error that names them. See section
 * 2 of the specification.
 */
export interface MemoryControls {
  /**
   * Adds a processed memory that has just ended, with transcript, summary and all three media. Overrides replace its
   * fields.
   *
   * Missing times are derived from the given ones.
   */
  add(overrides?: MemoryOverrides, options?: { userId?: string | undefined }): MemoryRecord;
  /**
   * Adds a memory that is being processed, without transcript and summary. See section 3 of the specification.
   *
   * End its processing with `finishProcessing`, or let `finishAfter` milliseconds of the mock's clock pass.
   */
  addProcessing(overrides?: Omit<MemoryOverrides, 'is_processing'>, options?: ProcessingOptions): MemoryRecord;
  /**
   * Ends the processing of a memory. Transcript and summary are generated unless given. See section 3 of the
   * specification.
   */
  finishProcessing(memoryId: string, overrides?: Omit<MemoryOverrides, 'id' | 'is_processing'>): MemoryRecord;
  /** Changes fields of a memory. Other fields keep their values. */
  update(memoryId: string, changes: Omit<MemoryOverrides, 'id'>): MemoryRecord;
  /** Removes a memory. It is no longer listed, and reading it results in a 404. */
  remove(memoryId: string): void;
  /** Returns the memories of the default account, or of another one, in the order of a list. */
  all(options?: { userId?: string | undefined }): MemoryRecord[];
}

/** Options of `addProcessing`. */
export interface ProcessingOptions {
  /** Duration of the processing, in milliseconds of the mock's clock. Default: until `finishProcessing` is called. */
  finishAfter?: number | undefined;
  /** Account of the memory. Default: the default account. */
  userId?: string | undefined;
}

/** Dependencies of the controls. */
export interface MemoryControlsContext {
  store: MockStore;
  clock: Clock;
  /** Returns the account, or the default one. @throws RangeError if there is no such account. */
  accountOf(userId: string | undefined, action: string): string;
}

/** The controls, and the methods that only the mock calls. */
export interface MemoryRegistry extends MemoryControls {
  /** Finishes the processing of memories that are due. No timer does it, so each reader calls this first. */
  settle(): void;
  /** Replaces all memories by these. */
  reset(memories: readonly StoredMemory[]): void;
}

export function createMemoryControls({ store, clock, accountOf }: MemoryControlsContext): MemoryRegistry {
  const dueMs = new Map<string, number>();
  let count = 0;

  const registry: MemoryRegistry = {
    add(overrides = {}, options = {}) {
      assertOverrides('add a memory', overrides);
      assertOptions('add a memory', { name: 'the options argument', value: options }, ['userId']);
      const owner = accountOf(options.userId, 'add a memory');
      const { media, ...fields } = withoutUndefined(overrides);
      const ordinary = ordinaryMemory(fields, { now: clock.now(), count: count + 1 });
      if (store.find(ordinary.id)) throw idTakenError(ordinary.id);
      const added = put('add a memory', { owner, record: ordinary, media });
      count += 1;
      return added;
    },
    addProcessing(overrides = {}, options = {}) {
      assertOverrides('add a processing memory', overrides);
      assertAbsent('add a processing memory', overrides, ['is_processing']);
      assertOptions('add a processing memory', { name: 'the options argument', value: options }, [
        'finishAfter',
        'userId',
      ]);
      const { finishAfter, userId } = options;
      const isLength = typeof finishAfter === 'number' && finishAfter >= 0;
      if (finishAfter !== undefined && !isLength) throw finishAfterError(finishAfter);
      const added = registry.add({ ...overrides, is_processing: true }, { userId });
      if (finishAfter === undefined) return added;
      dueMs.set(added.id, clock.now().getTime() + finishAfter);
      return toMemoryRecord(existing(added.id, 'add a processing memory'));
    },
    finishProcessing(memoryId, overrides = {}) {
      const action = 'finish processing';
      assertOverrides(action, overrides);
      assertAbsent(action, overrides, ['id', 'is_processing']);
      const stored = existing(memoryId, action);
      if (!stored.is_processing) throw notProcessingError(memoryId);
      return finish(stored, withoutUndefined(overrides));
    },
    update(memoryId, changes) {
      assertOverrides('update a memory', changes, 'the changes argument');
      assertAbsent('update a memory', changes, ['id']);
      return change('update a memory', existing(memoryId, 'update a memory'), withoutUndefined(changes));
    },
    remove(memoryId) {
      existing(memoryId, 'remove a memory');
      store.delete(memoryId);
      dueMs.delete(memoryId);
    },
    all(options = {}) {
      assertOptions('list memories', { name: 'the options argument', value: options }, ['userId']);
      registry.settle();
      return store.all(accountOf(options.userId, 'list memories')).map(toMemoryRecord);
    },
    settle() {
      const nowMs = clock.now().getTime();
      for (const [memoryId, instant] of dueMs) {
        const stored = store.find(memoryId);
        if (stored && instant <= nowMs) finish(stored);
      }
    },
    reset(memories) {
      store.clear();
      dueMs.clear();
      count = 0;
      for (const memory of memories) store.put(memory);
    },
  };
  return registry;

  function put(action: string, { owner, record, media }: Change): MemoryRecord {
    const split = media === undefined ? undefined : splitMedia(action, record.id, media);
    const memory = toStoredMemory(owner, split === undefined ? record : { ...record, media: split.media });
    store.put(memory);
    for (const [objectKey, own] of split?.ownMedia ?? []) store.ownMedia.set(objectKey, own);
    if (!memory.is_processing) dueMs.delete(memory.id);
    return toMemoryRecord(memory);
  }

  function change(action: string, stored: StoredMemory, { media, ...fields }: Overridden): MemoryRecord {
    return put(action, { owner: stored.user_id, record: { ...toMemoryRecord(stored), ...fields }, media });
  }

  function finish(stored: StoredMemory, overrides: Overridden = {}): MemoryRecord {
    return change('finish processing', stored, { ...missingFields(stored), ...overrides, is_processing: false });
  }

  function existing(memoryId: string, action: string): StoredMemory {
    registry.settle();
    const memory = store.find(memoryId);
    if (memory) return memory;
    const ids = store.all().map(({ id }) => id);
    throw notFoundError(action, `the memory ${formatValue(memoryId)}`, ids);
  }
}

interface Change {
  owner: string;
  record: MemoryRecord;
  /** Replaces the media of the record. */
  media: MemoryOverrides['media'];
}

/** Returns the generated transcript and summary for those that the memory lacks. */
function missingFields(stored: StoredMemory): Partial<MemoryRecord> {
  const { transcript, summary } = generatedFields(stored);
  return { ...(stored.transcriptJson === null && { transcript }), ...(stored.summaryJson === null && { summary }) };
}

function assertAbsent(action: string, overrides: object, fields: readonly string[]): void {
  const field = fields.find((name) => Object.hasOwn(overrides, name));
  if (field === undefined) return;
  throw new TypeError(`Failed to ${action}: the field ${field} is not supported here. Remove it.`);
}

function idTakenError(memoryId: string): RangeError {
  return new RangeError(
    `Failed to add a memory: the memory ${JSON.stringify(memoryId)} already exists. Change it with update, or choose another id.`,
  );
}

function finishAfterError(finishAfter: unknown): RangeError {
  return new RangeError(
    `Failed to add a processing memory: finishAfter is ${formatValue(finishAfter)}, which is not a number of at least 0. Pass milliseconds.`,
  );
}

function notProcessingError(memoryId: string): RangeError {
  return new RangeError(
    `Failed to finish processing: the memory ${JSON.stringify(memoryId)} is already processed. Add one that is being processed, or update this one.`,
  );
}
