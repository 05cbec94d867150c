/**
 * Tables of the generated files.
 *
 * `update_number` is 0 for the page itself, otherwise the number of the file beside an edited page. `pending_hash` is
 * the hash of the content that is being written, so that a run after a crash recognizes the file.
 */
export const pageTables = `
CREATE TABLE pages (
  memory_key INTEGER PRIMARY KEY,
  stem TEXT NOT NULL UNIQUE,
  update_number INTEGER NOT NULL,
  state TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  written_hash TEXT NOT NULL,
  pending_hash TEXT
) STRICT;

CREATE TABLE index_scripts (month TEXT PRIMARY KEY, fingerprint TEXT NOT NULL) STRICT;
`;
