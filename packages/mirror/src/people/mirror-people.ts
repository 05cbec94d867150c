import type { MirrorDatabase } from '../database/mirror-database.ts';
import type { MirrorStorage } from '../database/open-database.ts';
import { checkOptions, checkText, readFlag } from '../options/check-options.ts';
import type { FinishedPurge } from '../purge/finish-purges.ts';
import { nameSpeaker, unnameSpeaker } from './change-names.ts';
import { mergePeople, renamePerson, undoChange } from './change-people.ts';
import { exportPeople } from './export-people.ts';
import { forgetPerson, forgetPurge } from './forget-person.ts';
import { importPeople } from './import-people.ts';
import { listDoubts, listPeople } from './list-people.ts';
import { listSpeakers } from './list-speakers.ts';
import { unknownPerson } from './people-errors.ts';
import type { MirrorPeople } from './people-types.ts';

/** How the people use the mirror that they belong to. */
export interface PeopleHost {
  storage: MirrorStorage;
  /** Returns the current time, in milliseconds since 1970. */
  now(): number;
  /** Runs work that reads. */
  read<Result>(action: string, work: (database: MirrorDatabase) => Result | Promise<Result>): Promise<Result>;
  /** Runs work that changes names, without the lock of the writer. The work is one or more short transactions. */
  change<Result>(action: string, work: (database: MirrorDatabase) => Result | Promise<Result>): Promise<Result>;
  /** Runs work that purges, with the lock of the writer. Returns the purge with this name, also one that was interrupted. */
  purge(
    action: string,
    prepare: () => { purgeName: string; work: () => Promise<FinishedPurge[]> },
  ): Promise<FinishedPurge | undefined>;
}

/** Returns the people of a mirror. It checks what it is given, and changes nothing itself. */
export function openPeople({ storage, now, read, change, purge }: PeopleHost): MirrorPeople {
  return {
    speakers: (memoryId) => {
      const action = 'list the speakers';
      return read(action, (database) => {
        checkTexts(action, { memoryId });
        return listSpeakers(database, memoryId, action);
      });
    },
    name: (memoryId, label, person, options = {}) => {
      const action = 'name the speaker';
      return change(action, (database) => {
        checkTexts(action, { memoryId, label, person });
        checkOptions(action, options, ['me']);
        const me = readFlag(action, 'me', options.me);
        return nameSpeaker(database, { memoryId, label, person, me, now: now() });
      });
    },
    unname: (memoryId, label) => {
      const action = 'remove the name';
      return change(action, (database) => {
        checkTexts(action, { memoryId, label });
        return unnameSpeaker(database, { memoryId, label, now: now() });
      });
    },
    list: () => read('list the people', listPeople),
    doubts: () => read('list the doubtful names', listDoubts),
    rename: (person, name) => {
      const action = 'rename the person';
      return change(action, (database) => {
        checkTexts(action, { person, name });
        return renamePerson(database, { person, name, now: now() });
      });
    },
    merge: (person, into) => {
      const action = 'merge the people';
      return change(action, (database) => {
        checkTexts(action, { person, into });
        return mergePeople(database, { person, into, now: now() });
      });
    },
    forget: async (person) => {
      const action = 'forget the person';
      const ended = await purge(action, () => {
        checkTexts(action, { person });
        return { purgeName: forgetPurge(person), work: () => forgetPerson(storage, { person, now: now() }) };
      });
      if (ended === undefined) throw unknownPerson(action, person);
      return { forgotten: true, leftFiles: ended.leftFiles };
    },
    undo: () => change('undo the change', (database) => undoChange(database, now())),
    export: () => exportPeople((work) => read('export the names', work)),
    import: (file) => change('import the names', (database) => importPeople(database, file, now())),
  };
}

function checkTexts(action: string, texts: Readonly<Record<string, unknown>>): void {
  for (const [name, text] of Object.entries(texts)) checkText(action, name, text);
}
