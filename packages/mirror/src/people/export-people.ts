import { inSnapshot } from '../database/in-snapshot.ts';
import type { MirrorDatabase } from '../database/mirror-database.ts';
import { MirrorError } from '../errors/mirror-error.ts';
import { toNaming } from './naming-rows.ts';
import { type DecisionLine, header } from './people-file.ts';
import { personReader, readPeople } from './person-rows.ts';
import { hasPeople } from './stored-names.ts';

/**
 * Yields the lines of the file of the people.
 *
 * @throws {@link MirrorError} with the code `damaged` after the others, if some are damaged.
 */
export async function* exportPeople(
  read: <Result>(work: (database: MirrorDatabase) => Result) => Promise<Result>,
): AsyncGenerator<string, void, undefined> {
  const { me, decisions, damaged } = await read(readDecisions);
  yield `${JSON.stringify(header)}\n`;
  if (me !== undefined) yield `${JSON.stringify({ me })}\n`;
  for (const decision of decisions) yield `${JSON.stringify(decision)}\n`;
  if (damaged === 0) return;
  const reason = `${damaged} ${damaged === 1 ? 'name is' : 'names are'} damaged in the mirror`;
  throw new MirrorError('damaged', `Failed to export all names: ${reason}. Run memory-read mirror --repair.`);
}

function readDecisions(database: MirrorDatabase): { me?: string; decisions: DecisionLine[]; damaged: number } {
  if (!hasPeople(database)) return { decisions: [], damaged: 0 };
  return inSnapshot(database, () => {
    const readPerson = personReader(database);
    const decisions: DecisionLine[] = [];
    let damaged = 0;
    for (const row of database.prepare('SELECT * FROM namings').iterate()) {
      const naming = toNaming(row);
      const person = naming?.number == null ? undefined : readPerson(naming.number);
      // Without its person, a line would be a removal.
      if (naming === undefined || (naming.number !== null && person === undefined)) {
        damaged += 1;
        continue;
      }
      const { memoryId: memory, label: speaker, said, at } = naming;
      decisions.push({ memory, speaker, person: person?.name ?? null, said, at: new Date(at).toISOString() });
    }
    decisions.sort((a, b) => compare(a.memory, b.memory) || compare(a.speaker, b.speaker) || compare(a.said, b.said));
    const me = readPeople(database).find(({ isMe }) => isMe)?.name;
    return { ...(me !== undefined && { me }), decisions, damaged };
  });
}

/** Compares texts by their UTF-16 units, so that the order is that of no language. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
