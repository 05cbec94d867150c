import { isMirrorError, type Mirror } from '@memory-read/mirror';
import type { MirrorOption } from '../options/mirror-option.ts';
import { withPrivateFiles } from '../options/private-files.ts';
import { note } from '../terminal/note.ts';
import type { OutputOptions } from '../terminal/output-options.ts';
import { findIndex, mirrorCommand, mirrorFolder } from './find-mirror.ts';
import { noteKept } from './run-with-report.ts';
import { readStoredRow } from './stored-row.ts';

/** Writes the pages after a change of names, if the mirror has pages. If another run holds the lock, that is left to the next one. */
export async function writeNamedPages(
  mirror: Mirror,
  { signal, ...options }: MirrorOption & OutputOptions & { signal: AbortSignal },
): Promise<void> {
  if (findIndex(mirror.folder) === null) return;
  // The pages keep the time zone of the run that wrote them.
  const stored = readStoredRow(mirror, "SELECT value FROM settings WHERE name = 'time_zone'");
  const timeZone = stored === undefined ? undefined : String(stored.value);
  try {
    const { warnings } = await withPrivateFiles(options.process, () => mirror.writePages({ timeZone, signal }));
    for (const warning of warnings) noteKept(warning, options);
  } catch (error) {
    if (!isMirrorError(error) || error.code !== 'busy') throw error;
    const command = mirrorCommand(mirrorFolder(options.process, options.mirror));
    note(
      `The pages are not written yet: another memory-read is using the mirror. The next ${command} writes them.`,
      options,
    );
  }
}
