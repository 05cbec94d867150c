/**
 * Tables of the search.
 *
 * A unit is a name, a summary, a takeaway or a turn. Its key is its position in the order of hits. The key consists of
 * the slot of the start, the number of the memory in the slot, and the unit, counted backwards. So a search reads the
 * keys in descending order. `segments` holds the segments of a turn, or for a name, the start of the memory.
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
