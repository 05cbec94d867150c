/**
 * Tables of the search.
 *
 * A unit is a text that a search reads as a whole. Its key is its position in the order of hits. The key consists of
 * the slot of the start, the number of the memory in the slot, and the unit, counted backwards. So a search reads the
 * keys in descending order. `segments` holds the segments of a text, or for a name, the start of the memory.
 */
export const searchTables = `
CREATE TABLE units (
  unit_key INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  speaker TEXT,
  text TEXT NOT NULL,
  segments TEXT NOT NULL
) STRICT;

CREATE VIRTUAL TABLE words USING fts5(tokens, marks, content='', contentless_delete=1, tokenize='ascii');
`;

/** `memory_words` has a row for each memory, with each of its tokens once. Its key is that of its units without the unit. */
export const memoryTables = `
CREATE VIRTUAL TABLE memory_words
  USING fts5(tokens, content='', contentless_delete=1, detail=none, tokenize='ascii');
`;
