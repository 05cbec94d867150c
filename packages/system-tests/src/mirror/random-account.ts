import type { ListedMemory, Memory } from '@memory-read/client';
import { oneOf, type Random } from '@memory-read/test-kit/random';
import { sampleListedMemory, sampleMemory } from '@memory-read/test-kit/sample-memory';

/** Ids of all memories that an account can have. */
export const memoryIds: readonly string[] = Array.from({ length: 8 }, (_item, index) => `mem_${index}`);

const speeches = [null, [], ['…'], ['golf'], ['golf', 'hotel'], ['india', '?!'], ['juliet kilo']] as const;
const summaries = [null, ['delta', []], ['echo', ['delta']], ['delta', ['foxtrot', 'echo']]] as const;
const names = ['alpha', 'bravo', 'charlie golf'];
export const starts: readonly string[] = [10, 11, 12, 13].map((hour) => `2026-08-20T${hour}:00:00.000Z`);

/** All words of such memories. */
export const words = 'alpha bravo charlie delta echo foxtrot golf hotel india juliet kilo'.split(' ');

/**
 * Memories with random edits. There are few values, so that an edit often changes nothing, or restores an earlier
 * value.
 */
export class RandomAccount {
  readonly #random: Random;
  #memories: Memory[] = [];

  constructor(random: Random) {
    this.#random = random;
  }

  /** The list in the order of the specification. */
  list(): ListedMemory[] {
    return this.#memories
      .map((memory) => sampleListedMemory({ ...memory, transcript: null }))
      .sort((one, other) => Date.parse(other.started_at) - Date.parse(one.started_at));
  }

  get(memoryId: string): Memory | undefined {
    return this.#memories.find(({ id }) => id === memoryId);
  }

  edit(): void {
    const id = oneOf(this.#random, memoryIds);
    const known = this.get(id);
    this.#memories = this.#memories.filter((memory) => memory !== known);
    if (known !== undefined && this.#random() < 0.3) return;
    const changes = [
      () => ({ name: oneOf(this.#random, names) }),
      () => ({ started_at: oneOf(this.#random, starts) }),
      () => ({ duration_seconds: oneOf(this.#random, [600, 700]) }),
      () => ({ is_processing: oneOf(this.#random, [true, false, false]) }),
      () => ({ audio_url: oneOf(this.#random, [null, 'https://media.example.com/a.wav']) }),
      () => ({ video_url: oneOf(this.#random, [null, 'https://media.example.com/a.mp4']) }),
      () => ({ summary: this.#summary() }),
      () => ({ transcript: this.#transcript() }),
    ];
    const chosen = known === undefined ? changes : [oneOf(this.#random, changes)];
    const fields = Object.assign({}, ...chosen.map((change) => change()));
    this.#memories.push(sampleMemory({ ...known, ...fields, id }));
  }

  #summary(): Memory['summary'] {
    const summary = oneOf(this.#random, summaries);
    return summary && { quick_summary: summary[0], key_takeaways: [...summary[1]] };
  }

  /** Each segment has another speaker, so it is a separate turn. */
  #transcript(): Memory['transcript'] {
    const texts = oneOf<readonly string[] | null>(this.#random, speeches);
    const times = { start_at: '2026-08-20T10:00:01.000Z', end_at: '2026-08-20T10:00:02.000Z' };
    return texts && { segments: texts.map((text, index) => ({ speaker: `Speaker ${index + 1}`, ...times, text })) };
  }
}
