import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatJudgeReport, judgeClient } from '@memory-read/conformance/clients';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { root } from '@memory-read/test-kit/repository';
import { afterAll, expect, test } from 'vitest';
import { brokenClients, endless } from './broken-clients.ts';
import { judgedClients, naiveClient } from './judged-clients.ts';

// `npm run test:full` judges whole clients.
const folder = makeFolder(afterAll);
const urllib = judgedClients.find(({ name }) => name === 'urllib');

test.concurrent.each(brokenClients)(
  'the scenario $scenario finds a client that $name',
  async ({ name, edits, scenario, observed }) => {
    const source = Object.entries(edits).reduce(
      (text, [from, to]) => {
        expect(text).toContain(from);
        return text.replace(from, () => to);
      },
      readFileSync(naiveClient, 'utf8'),
    );
    const file = join(folder, `${name.replaceAll(' ', '-')}.mjs`);
    writeFileSync(file, source);
    const command = [process.execPath, file];
    // Only those that never end are killed.
    const limits = { attemptTimeout: 10_000, timeout: observed === endless ? 3_000 : 30_000 };
    const { results } = await judgeClient({ command, rules: 'reference', only: [scenario], ...limits });
    expect(results).toMatchObject([
      { scenario, status: 'failed', evidence: { observed: expect.stringContaining(observed) } },
    ]);
    expect(results[0]?.evidence?.wire.join()).not.toMatch(/mrk_|signature/);
  },
);

test.skipIf(urllib?.isMissing)('the guide shows the report of a client in Python that follows redirects', async () => {
  const file = join(folder, 'judge_client.py');
  const [program = '', source = ''] = urllib?.command ?? [];
  writeFileSync(file, readFileSync(source, 'utf8').replace('build_opener(NoRedirect)', 'build_opener()'));
  const report = await judgeClient({ command: [program, file], only: ['redirect-key'], attemptTimeout: 5_000 });
  const guide = readFileSync(join(root, 'docs/guides/judge-a-client.md'), 'utf8');
  const [, shown] = /```text\n([\s\S]*?)```/.exec(guide) ?? [];
  expect(withoutTimes(formatJudgeReport(report, 'pretty'))).toContain(withoutTimes(shown ?? 'a report'));
});

function withoutTimes(text: string): string {
  return text.replace(/\d+ ms/g, 'N ms').replace(/ +/g, ' ');
}
