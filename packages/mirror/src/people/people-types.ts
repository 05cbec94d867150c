/** A speaker of a memory, and the person who was named for it. */
export interface NamedSpeaker {
  /** Label of the speaker, as stored. */
  label: string;
  /** Name of the person; null if the speaker has none, or only doubtful ones. */
  person: string | null;
  /** Whether the person is you. */
  isMe: boolean;
  /** People who may be this speaker, since the speakers of the transcript have changed. In the order of their folded names. */
  doubtful: string[];
  /** Number of segments with this label. */
  segments: number;
  /** Total length of these segments, in milliseconds. Overlapping time counts for each segment. */
  duration: number;
  /**
   * The two longest turns in the order of speech, at most 120 UTF-16 units each. `offset` is the time from the start of
   * the memory, in milliseconds.
   */
  excerpts: { offset: number; text: string }[];
}

/** A person of the mirror. A person exists as long as a speaker has the name. */
export interface Person {
  name: string;
  /** Whether the person is you. At most one person is. */
  isMe: boolean;
  /** Number of memories in which the name is certain. */
  memories: number;
  /** Number of memories in which the name is only doubtful. */
  doubtful: number;
}

/** A name that is shown nowhere, because the speakers of the transcript have changed since it was given. */
export interface Doubt {
  memoryId: string;
  /** Name of the memory. */
  name: string;
  /** Start of the memory, as the server wrote it. */
  startedAt: string;
  person: string;
  /** Label of the speaker when the person was named. */
  label: string;
  /** Label that the speaker most likely has now; null if it has no such label. */
  likely: string | null;
}

/** Result of `people.import`. Each line with a decision is counted once. */
export interface PeopleImport {
  /** Decisions that are newer than those of the mirror, and were taken. */
  changed: number;
  /** Decisions that the mirror had already, or had newer ones for. */
  unchanged: number;
  /** Decisions about memories that were purged. */
  skipped: number;
  /** Decisions about memories that the mirror does not have yet. They are `changed` or `unchanged`, too. */
  waiting: number;
  /** Names of the file that are doubtful now. They are `changed` or `unchanged`, too. */
  doubtful: number;
}

/** The people of a mirror: who the speakers of its memories are. */
export interface MirrorPeople {
  /**
   * Returns the speakers of a memory, in the order of first speech. The version is the one that search and pages use.
   *
   * @throws {@link MirrorError} with the code `unknown_memory`.
   */
  speakers(memoryId: string): Promise<NamedSpeaker[]>;
  /**
   * Names a speaker, and returns it. The name then stands in the place of the label, also after the memory is processed
   * again. With `me`, the person is you. Doubtful names of the person in this memory are removed, and those at this
   * speaker.
   *
   * @throws {@link MirrorError} with the code `unknown_memory`, `unknown_speaker` or `invalid_option`.
   *
   * @example
   * ```ts
   * for (const { label, person, excerpts } of await mirror.people.speakers(id))
   *   console.log(label, person, excerpts[0]?.text);
   *
   * await mirror.people.name(id, 'Speaker 1', 'Tom', { me: true }); // this is you
   * await mirror.people.name(id, 'Speaker 2', 'Ada');
   * const { hits } = await mirror.search('speaker:Ada promise');
   * for (const { person, speaker, snippet } of hits) console.log(person, speaker, snippet.text);
   * ```
   */
  name(memoryId: string, label: string, person: string, options?: { me?: boolean | undefined }): Promise<NamedSpeaker>;
  /**
   * Removes the name of a speaker, and the doubtful ones. Returns false if the speaker had none. The label of a doubtful
   * name can be one that the transcript no longer has.
   *
   * @example
   * ```ts
   * const wasNamed = await mirror.people.unname(id, 'Speaker 1');
   * console.log(wasNamed);
   * ```
   */
  unname(memoryId: string, label: string): Promise<boolean>;
  /** Returns all people, in the order of their folded names. */
  list(): Promise<Person[]>;
  /**
   * Returns the doubtful names, those of the newest memory first.
   *
   * @example
   * ```ts
   * for (const { name, person, label, likely } of await mirror.people.doubts())
   *   console.log(`${name}: ${person} was ${label}${likely === null ? '' : `, and is most likely ${likely}`}`);
   * ```
   */
  doubts(): Promise<Doubt[]>;
  /**
   * Renames a person in all memories.
   *
   * @throws {@link MirrorError} with the code `unknown_person`, or `name_taken` if the name is that of another person.
   *
   * @example
   * ```ts
   * try {
   *   await mirror.people.rename('Tom', 'Ada Byron');
   * } catch (error) {
   *   if (!isMirrorError(error) || error.code !== 'name_taken') throw error;
   *   console.log(error.message);
   * }
   * ```
   */
  rename(person: string, name: string): Promise<Person>;
  /**
   * Makes two people one, under the name of `into`.
   *
   * @throws {@link MirrorError} with the code `unknown_person`.
   */
  merge(person: string, into: string): Promise<Person>;
  /**
   * Removes a person and all their names, with their bytes in the folder. The labels are shown again. Pages, captions and
   * `index.html` are written again if there were any. Words of transcripts stay.
   *
   * `leftFiles` are the files with the name that stay because they are yours, such as a page that you edited. Paths are
   * relative to the folder of the mirror. `forgotten` is always true. If the process ends before, the next opening for
   * writing finishes the work, and a further call returns its `leftFiles`.
   *
   * @throws {@link MirrorError} with the code `unknown_person`, or with `busy` if another operation writes, or if a reader
   * kept the log: the name is then removed for all readers, and its bytes with the next call or opening.
   *
   * @example
   * ```ts
   * const { forgotten, leftFiles } = await mirror.people.forget('Ada Byron');
   * console.log(forgotten, leftFiles);
   * ```
   */
  forget(person: string): Promise<{ forgotten: boolean; leftFiles: string[] }>;
  /**
   * Takes back the newest change. Returns false if there is no change. The last 50 changes are kept.
   *
   * @example
   * ```ts
   * await mirror.people.rename('Ada', 'Ada Byron'); // in all memories
   * await mirror.people.merge('Tom', 'Ada Byron'); // a mistake
   * await mirror.people.undo();
   * for (const { name, isMe, memories } of await mirror.people.list()) console.log(name, isMe, memories);
   * ```
   */
  undo(): Promise<boolean>;
  /** Yields the names as lines of JSON, each with its line break. They are the backup of the names. */
  export(): AsyncIterable<string>;
  /**
   * Imports the lines of `export`. Of two decisions about the same speaker, the newer one counts.
   *
   * @param file - The text itself, not a path.
   * @throws {@link MirrorError} with the code `invalid_file` or `newer_version`. Nothing was imported.
   *
   * @example
   * ```ts
   * await writeFile(file, mirror.people.export());
   * const { changed, unchanged } = await mirror.people.import(await readFile(file, 'utf8'));
   * console.log(`${changed} changed, ${unchanged} unchanged`);
   * ```
   */
  import(file: string | AsyncIterable<string>): Promise<PeopleImport>;
}
