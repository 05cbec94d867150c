/**
 * Tables of the people.
 *
 * A row of `namings` is a decision about a speaker: `number` stands for the person, and is null for a removal. `said` is the
 * digest of what the speaker said, and `version` the version in which it was said; null if the mirror never had it.
 * `label` and `label_now` are JSON, because SQLite replaces lone surrogates. `state` is the result for the version in
 * the index: `certain` for the speaker `label_now`; `doubtful`, with the likely speaker in `label_now`; `waiting` for a
 * memory that the mirror does not have; or `removed`.
 *
 * Texts of the index are marked with the number, so that a merge gives a person further numbers, and changes no text. A
 * number is never used again. `people_changes` holds what rows were before the last changes.
 */
export const peopleTables = `
CREATE TABLE people (
  person_key INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  folded TEXT NOT NULL UNIQUE,
  is_me INTEGER NOT NULL,
  checksum INTEGER NOT NULL
) STRICT;

CREATE TABLE person_numbers (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  person_key INTEGER NOT NULL,
  checksum INTEGER NOT NULL
) STRICT;
CREATE INDEX numbers_of_person ON person_numbers (person_key);

CREATE TABLE namings (
  naming_key INTEGER PRIMARY KEY,
  memory_id TEXT NOT NULL,
  said TEXT NOT NULL,
  label TEXT NOT NULL,
  number INTEGER,
  at INTEGER NOT NULL,
  version INTEGER,
  state TEXT NOT NULL,
  label_now TEXT,
  checksum INTEGER NOT NULL,
  UNIQUE (memory_id, said)
) STRICT;
CREATE INDEX namings_of_number ON namings (number);

CREATE TABLE people_changes (change_key INTEGER PRIMARY KEY AUTOINCREMENT, before TEXT NOT NULL) STRICT;
`;
