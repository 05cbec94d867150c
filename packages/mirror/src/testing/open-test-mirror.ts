import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { MediaKind } from '@memory-read/client';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { sampleMemory } from '@memory-read/test-kit/sample-memory';
import { onTestFinished } from 'vitest';
import { openDatabase } from '../database/open-database.ts';
import { Hardening } from '../files/hardening.ts';
import { findPosition } from '../search/index-position.ts';

/** Files of a memory by their kind: path relative to the folder, and content. */
type TestMedia = { [Kind in MediaKind]?: string };

/** Opens an empty mirror in a new folder, and closes it after the test. */
export function openTestMirror() {
  const folder = makeFolder();
  const hardening = new Hardening(folder);
  const database = openDatabase(folder, { readOnly: false, hardening });
  onTestFinished(() => {
    if (database.isOpen) database.close();
  });

  /** Writes a version of a memory as a sync would, without its index. */
  function keep(overrides: Record<string, unknown> = {}, { media = {} }: { media?: TestMedia } = {}): number {
    const content = sampleMemory({ audio_url: null, ...overrides });
    const start = Math.floor(Date.parse(content.started_at) / 1000) * 1000;
    const known = database
      .prepare('SELECT memory_key, current_version FROM memories WHERE memory_id = ?')
      .get(content.id);
    const version = Number(known?.current_version ?? 0) + 1;
    const { startSlot, disambiguator } = findPosition(database, start);
    database
      .prepare(
        `INSERT INTO memories (memory_id, started_at, start_slot, disambiguator, current_version, indexed_version, last_event,
          last_event_at, read_at, list_state) VALUES (?, ?, ?, ?, ?, ?, ?, 0, 0, '')
        ON CONFLICT (memory_id) DO UPDATE SET current_version = excluded.current_version,
          indexed_version = excluded.indexed_version`,
      )
      .run(content.id, start, startSlot, disambiguator, version, version, version);
    const { memory_key } = database.prepare('SELECT memory_key FROM memories WHERE memory_id = ?').get(content.id) as {
      memory_key: number;
    };
    database
      .prepare("INSERT INTO versions (memory_key, version, seen_at, media, content) VALUES (?, ?, 0, '', ?)")
      .run(memory_key, version, JSON.stringify(content));
    for (const [kind, path] of Object.entries(media)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), 'media');
      database.prepare('INSERT INTO media VALUES (?, ?, ?, 5, NULL, 1, NULL)').run(memory_key, kind, path);
    }
    return memory_key;
  }

  return { folder, database, hardening, keep };
}
