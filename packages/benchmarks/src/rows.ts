import type { Row } from './measurement/row.ts';
import { cliLongOutputs } from './rows/cli-long-outputs.ts';
import { cliStartUp } from './rows/cli-start-up.ts';
import { clientBundleSize } from './rows/client-bundle-size.ts';
import { clientGetMemory } from './rows/client-get-memory.ts';
import { clientImportTime } from './rows/client-import-time.ts';
import { clientListMemories } from './rows/client-list-memories.ts';
import { clientMemoryHeld } from './rows/client-memory-held.ts';
import { clientStalledCalls } from './rows/client-stalled-calls.ts';
import { conformanceRun } from './rows/conformance-run.ts';
import { mcpTools } from './rows/mcp-tools.ts';
import { mediaDownload } from './rows/media-download.ts';
import { mediaUrlSigning } from './rows/media-url-signing.ts';
import { mirrorSearch } from './rows/mirror-search.ts';
import { mirrorSync } from './rows/mirror-sync.ts';
import { mock } from './rows/mock.ts';
import { receiptVerification } from './rows/receipt-verification.ts';
import { serverGetMemory } from './rows/server-get-memory.ts';
import { serverList } from './rows/server-list.ts';
import { serverLog } from './rows/server-log.ts';
import { serverLongTranscript } from './rows/server-long-transcript.ts';
import { serverStalledCallers } from './rows/server-stalled-callers.ts';
import { serverStoreSize } from './rows/server-store-size.ts';
import { sqliteImport } from './rows/sqlite-import.ts';

/** Every benchmark, in the order of the page. */
export const rows: readonly Row[] = [
  clientBundleSize,
  clientImportTime,
  clientGetMemory,
  clientListMemories,
  clientMemoryHeld,
  clientStalledCalls,
  mediaDownload,
  serverGetMemory,
  serverLongTranscript,
  serverStoreSize,
  serverList,
  serverStalledCallers,
  serverLog,
  mediaUrlSigning,
  sqliteImport,
  mirrorSync,
  mirrorSearch,
  mcpTools,
  receiptVerification,
  mock,
  conformanceRun,
  cliStartUp,
  cliLongOutputs,
];
