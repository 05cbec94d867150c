import type { MirrorDatabase } from '../database/mirror-database.ts';
import { isInside } from './is-inside.ts';
import { nameStem, stemKey, type Template } from './names.ts';

/** The name of a memory in a folder. */
interface GivenStem {
  /** What `wanted` was computed from. While it is the same, nothing is read. */
  basis: string;
  /** What the template gave. While it is the same, the stem stays. */
  wanted: string;
  stem: string;
}

/** Names of the memories of a folder, each once, also on a disk that ignores case. */
export class Stems {
  readonly #database: MirrorDatabase;
  readonly #folderKey: number;
  readonly #stems: Map<number, GivenStem>;
  readonly #taken: Set<string>;
  readonly #changed = new Set<number>();

  constructor(database: MirrorDatabase, folderKey: number) {
    this.#database = database;
    this.#folderKey = folderKey;
    const rows = database.prepare('SELECT memory_key, basis, wanted, stem FROM stems WHERE folder_key = ?');
    this.#stems = new Map(
      rows
        .all(folderKey)
        .filter(({ stem }) => isInside(String(stem)))
        .map(({ memory_key, ...row }) => [Number(memory_key), row as unknown as GivenStem]),
    );
    this.#taken = new Set([...this.#stems.values()].flatMap(({ stem }) => keysOf(stem)));
  }

  /** Returns the stem of a memory; undefined if it has none, or one that depends on something else. */
  find(memoryKey: number, basis?: string): string | undefined {
    const given = this.#stems.get(memoryKey);
    return basis === undefined || given?.basis === basis ? given?.stem : undefined;
  }

  /** Returns the stem that a memory gets. It stays while the template gives the same. */
  give(
    memoryKey: number,
    { basis, template }: { basis: string; template: Template },
    memory: { id: string; name: string },
    local: { date: string; time: string },
  ): string {
    const known = this.#stems.get(memoryKey);
    for (const key of known === undefined ? [] : keysOf(known.stem)) this.#taken.delete(key);
    const isTaken = (stem: string) => keysOf(stem).some((key) => this.#taken.has(key));
    const named = nameStem(template, memory, local, isTaken);
    const stem = known?.wanted === named.wanted ? known.stem : named.stem;
    for (const key of keysOf(stem)) this.#taken.add(key);
    this.#stems.set(memoryKey, { basis, wanted: named.wanted, stem });
    this.#changed.add(memoryKey);
    return stem;
  }

  get isChanged(): boolean {
    return this.#changed.size > 0;
  }

  /** Writes the stems that changed. Call it in a transaction. */
  write(): void {
    const note = this.#database.prepare(
      'INSERT OR REPLACE INTO stems (folder_key, memory_key, basis, wanted, stem) VALUES (?, ?, ?, ?, ?)',
    );
    for (const memoryKey of this.#changed) {
      const { basis, wanted, stem } = this.#stems.get(memoryKey) as GivenStem;
      note.run(this.#folderKey, memoryKey, basis, wanted, stem);
    }
    this.#changed.clear();
  }
}

/** A recording or a picture can have a label after the stem, which could be the stem of another memory. */
function keysOf(stem: string): string[] {
  return ['', '.audio', '.preview'].map((label) => stemKey(`${stem}${label}`));
}
