import type { MockSpace } from '@memory-read/msw/server';
import type { ClientScenario, JudgedOperation, JudgeRules } from '../client-scenario.ts';

/** Fields of a memory that a space holds. */
export type StoredFields = NonNullable<Parameters<MockSpace['memories']['add']>[0]> & { id: string };

type Schedule = MockSpace['faults']['next'];

/** A fault of a scenario. */
export interface ScenarioFault {
  readonly fault: Parameters<Schedule>[0];
  /** Number of requests. Default: 1. */
  readonly times?: number | 'always';
  /** Requests that it concerns. Default: those to the API. */
  readonly to?: 'storage';
}

/** What passes. */
export interface Expectation {
  /**
   * How the command ends: with the right data, with an error, or with either. `'safely'` also accepts other data, because
   * the rules of all scenarios say enough.
   */
  readonly ends: 'data' | 'error' | 'either' | 'safely';
  /** Number of requests to the API. Default: 1 to 10. */
  readonly apiRequests?: number;
  /** Number of requests to the storage. Default: 1 to 20 of a download, and 0 of another operation. */
  readonly storageRequests?: number;
  /** Status that the error has, if the command prints one. */
  readonly status?: number;
  /** Least milliseconds from the first response of the API to a second request. Default: none. */
  readonly pause?: number;
  /** Whether the storage must get a request for the rest of the file. */
  readonly resumes?: boolean;
  /** Whether no file may remain at the path of the output. */
  readonly leavesNoFile?: boolean;
}

/** A row of the files of this folder. */
export interface ScenarioRow extends Expectation {
  readonly id: string;
  readonly title: string;
  /** Default: `'list'`. */
  readonly operation?: JudgedOperation;
  /** Default: `'safe'`. */
  readonly profile?: JudgeRules;
  /** Default: three memories. */
  readonly stored?: readonly StoredFields[];
  /** Memory that the command reads. Default: the first stored one. */
  readonly memoryId?: string;
  /** Path of the API before `/v1`. Default: none. */
  readonly basePath?: string;
  /** Text at the end of `MEMORY_API_URL`. Default: none. */
  readonly urlEnd?: string;
  /** Whether each response redirects to the same URL, so that clients follow at once and often. */
  readonly redirectsToSelf?: boolean;
  readonly faults?: readonly ScenarioFault[];
}

/** A scenario with everything that a run needs. */
export interface Scenario
  extends Omit<ScenarioRow, keyof ClientScenario | 'stored' | 'faults'>,
    ClientScenario,
    Required<Pick<ScenarioRow, 'stored' | 'faults'>> {}

/** Returns the scenarios of a section. */
export function scenariosOf(section: string, rows: readonly ScenarioRow[]): Scenario[] {
  return rows.map((row) => ({
    section,
    operation: 'list',
    profile: 'safe',
    stored: threeMemories,
    faults: [],
    expected: describeExpectation(row),
    ...row,
  }));
}

/** Returns a scenario in which each response has the fault, so that only an error passes. */
export function failing(
  id: string,
  title: string,
  fault: ScenarioFault['fault'],
  others: Partial<ScenarioRow> = {},
): ScenarioRow {
  return { id, title, faults: [{ fault, times: 'always' }], ends: 'error', ...others };
}

/** Returns a scenario in which the first response has the fault, and a retry gets the data. */
export function recovery(id: string, title: string, fault: ScenarioFault['fault']): ScenarioRow {
  return { id, title, profile: 'reference', faults: [{ fault }], ends: 'data' };
}

const endings = {
  data: 'the data of the server',
  error: 'an error',
  either: 'the data of the server or an error',
  safely: 'any result',
} as const satisfies Record<Expectation['ends'], string>;

function describeExpectation({ operation, id, ...row }: ScenarioRow): string {
  const { ends, apiRequests, storageRequests, pause, resumes, leavesNoFile } = row;
  const ending = operation === 'download' ? endings[ends].replace('data of the server', 'whole file') : endings[ends];
  return [
    ending,
    ...(apiRequests === undefined ? [] : [`${apiRequests} ${apiRequests === 1 ? 'request' : 'requests'}`]),
    ...(storageRequests === undefined ? [] : [`${storageRequests} requests to the storage`]),
    ...(pause === undefined ? [] : ['no second request before the end of the pause']),
    ...(resumes ? ['a request for the rest of the file'] : []),
    ...(leavesNoFile ? ['no file'] : []),
    ...(ends === 'safely' ? ['no key to another origin'] : []),
  ].join(', ');
}

/** Returns a memory without media, whose start is `hour` hours after noon. */
export function storedMemory(id: string, hour = 0): StoredFields {
  const started = new Date(Date.UTC(2026, 2, 1, 12 + hour));
  return {
    id,
    name: `Memory ${id}`,
    started_at: started.toISOString(),
    ended_at: new Date(started.getTime() + 60_000).toISOString(),
    media: {},
  };
}

export const threeMemories = [storedMemory('mem_a', 3), storedMemory('mem_b', 2), storedMemory('mem_c', 1)];
