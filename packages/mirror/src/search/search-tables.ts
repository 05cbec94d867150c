/**
 * Tables of the search.
 *
 * A unit is a name, a summary, a takeaway or a turn. Its key is its place in the order: the slot of the start, the
 * number of the memory within it, and the unit, counted backwards. So the newest first is one walk through the keys.
 * `segments` holds what a hit says about the segments of a turn; for a name, the start of the memory.
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
