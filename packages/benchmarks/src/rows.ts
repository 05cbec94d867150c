import type { Row } from './measurement/row.ts';
import { cliStartUp } from './rows/cli-start-up.ts';
import { clientBundleSize } from './rows/client-bundle-size.ts';
import { clientGetMemory } from './rows/client-get-memory.ts';
import { clientImportTime } from './rows/client-import-time.ts';
import { clientListMemories } from './rows/client-list-memories.ts';
import { judge } from './rows/judge.ts';
import { mediaDownload } from './rows/media-download.ts';
import { mirrorEvents } from './rows/mirror-events.ts';
import { mirrorNaming } from './rows/mirror-naming.ts';
import { mirrorPeople } from './rows/mirror-people.ts';
import { mirrorSearch } from './rows/mirror-search.ts';
import { mirrorSync } from './rows/mirror-sync.ts';
import { mock } from './rows/mock.ts';
import { mockServer } from './rows/mock-server.ts';
import { postgresReplicas } from './rows/postgres-replicas.ts';
import { serverFairness } from './rows/server-fairness.ts';
import { serverGetMemory } from './rows/server-get-memory.ts';
import { serverList } from './rows/server-list.ts';
import { serverLongTranscript } from './rows/server-long-transcript.ts';

/** Every benchmark, in the order of the page. */
export const rows: readonly Row[] = [
  clientBundleSize,
  clientImportTime,
  clientGetMemory,
  clientListMemories,
  mediaDownload,
  serverGetMemory,
  serverLongTranscript,
  serverList,
  serverFairness,
  postgresReplicas,
  mirrorSync,
  mirrorSearch,
  mirrorNaming,
  mirrorPeople,
  mirrorEvents,
  mock,
  mockServer,
  judge,
  cliStartUp,
];
