/**
 * Tables of the deliveries. A sink is a position in the log, and rows of what it has set aside.
 *
 * `position` is that of the newest event that was taken. `accepted` counts accepted tries, and `failures` those that
 * failed since the last accepted one. `failed_position` is the event of the last try if that failed. A row of `deliveries`
 * has the value of `accepted` at its first and at its last failed try. `counted` are the tries that show that the event is
 * at fault, and `is_at_fault` says whether the last try is one of them. A row with 0 `attempts` waits for an earlier event
 * of its memory, or is due again.
 */
export const sinkTables = `
CREATE TABLE sinks (
  sink_key INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE,
  position INTEGER NOT NULL,
  accepted INTEGER NOT NULL,
  accepted_at INTEGER,
  failures INTEGER NOT NULL,
  failed_position INTEGER,
  next_try INTEGER NOT NULL,
  is_stopped INTEGER NOT NULL
) STRICT;

CREATE TABLE deliveries (
  sink_key INTEGER NOT NULL,
  position INTEGER NOT NULL,
  memory_key INTEGER NOT NULL,
  is_parked INTEGER NOT NULL,
  attempts INTEGER NOT NULL,
  counted INTEGER NOT NULL,
  is_at_fault INTEGER NOT NULL,
  first_accepted INTEGER NOT NULL,
  last_accepted INTEGER NOT NULL,
  failed_at INTEGER,
  next_try INTEGER NOT NULL,
  error TEXT,
  UNIQUE (sink_key, position)
) STRICT;
CREATE INDEX deliveries_of_memory ON deliveries (memory_key, sink_key, position);
`;
