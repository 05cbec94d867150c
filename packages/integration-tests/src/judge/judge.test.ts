import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { judgeClient } from '@memory-read/conformance/clients';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { afterAll, expect, test } from 'vitest';
import { brokenClients } from './broken-clients.ts';
import { judgedClients, naiveClient, patience } from './judged-clients.ts';

const folder = makeFolder(afterAll);

for (const { name, command, isMissing, rules, knownFailures } of judgedClients) {
  test.skipIf(isMissing)(`${name} passes the profile ${rules}, but for the failures that are known`, async () => {
    const report = await judgeClient({ command, rules, knownFailures, ...patience });
    expect(report.results.filter(({ status }) => status === 'failed' || status === 'skipped')).toEqual([]);
    expect(report.passed).toBe(true);
  });
}

test.concurrent.each(brokenClients)(
  'the scenario $scenario finds a client that $name',
  async ({ name, edits, scenario, observed }) => {
    const source = edits.reduce(
      (text, [from, to]) => {
        expect(text).toContain(from);
        return text.replace(from, () => to);
      },
      readFileSync(naiveClient, 'utf8'),
    );
    const file = join(folder, `${name.replaceAll(' ', '-')}.mjs`);
    writeFileSync(file, source);
    const command = [process.execPath, file];
    const { results } = await judgeClient({ command, rules: 'reference', only: [scenario], timeout: 3_000 });
    expect(results).toMatchObject([
      { scenario, status: 'failed', evidence: { observed: expect.stringContaining(observed) } },
    ]);
  },
);
