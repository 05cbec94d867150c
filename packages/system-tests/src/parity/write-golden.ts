// Writes what the server over the in-memory store answers now. Run it with
// `node --conditions=@memory-read/source packages/system-tests/src/parity/write-golden.ts`, and review the diff.
import { createInMemoryStore } from '@memory-read/server';
import { askAll } from './ask.ts';
import { groups } from './cases/groups.ts';
import { toGoldenLine, writeGolden } from './golden.ts';
import { startServerHost } from './hosts/start-server-host.ts';

const host = await startServerHost('server over the in-memory store', createInMemoryStore());
for (const group of groups) {
  const { answers, refused } = await askAll(host, group.cases);
  if (refused.size > 0) throw new Error(`Failed to write ${group.name}: because ${[...refused.keys()].join(', ')}.`);
  const lines = group.cases.flatMap((parityCase) => {
    const answer = answers.get(parityCase.title);
    return answer ? [toGoldenLine(parityCase, answer)] : [];
  });
  writeGolden(group, lines);
  console.log(`${group.name}: ${lines.length}`);
}
await host.close();
