import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { exactly, type Means, type Row } from '../measurement/row.ts';
import { runRounds } from '../measurement/run-rounds.ts';
import { pairedRatio, spreadOf } from '../measurement/statistics.ts';

const program = fileURLToPath(new URL('../programs/import-rows.ts', import.meta.url));

interface Import {
  milliseconds: number;
  peakBytes: number;
}

export const sqliteImport: Row = {
  id: 'sqlite-import',
  title: 'Server: import into SQLite',
  method:
    'Each import is a separate process. It fills a new file of the same schema, with the same settings and rows of about 300 bytes. The bare import binds the rows to a prepared statement in one transaction. The store validates each row, normalizes its times, and stages all rows until the last one has arrived. A source that fails leaves the store unchanged. Both have the small heap of `memory-read import`.',
  async measure({ sizes, folder }) {
    const run = (kind: 'ours' | 'bare', count: number) => importRows(folder, kind, count);
    const rounds = await runRounds(sizes.longRounds, {
      ours: () => run('ours', sizes.importedRows).milliseconds,
      bare: () => run('bare', sizes.importedRows).milliseconds,
    });
    const growth = run('ours', sizes.importedRows).peakBytes - run('ours', sizes.importedRows / 10).peakBytes;
    const perSecond = rounds.ours.map((milliseconds) => sizes.importedRows / milliseconds);
    const count = sizes.importedRows.toLocaleString('en');
    return {
      findings: [
        {
          what: `${count} rows, against a bare prepared statement`,
          value: pairedRatio(rounds.ours, rounds.bare),
          unit: '×',
          goal: { atMost: 2 },
        },
        { what: 'Thousand rows a second', value: spreadOf(perSecond), unit: 'k/s' },
        {
          what: 'Most memory ever held, over that of a tenth of the rows',
          value: exactly(growth / 1_048_576),
          unit: 'MiB',
          goal: { atMost: 32 },
        },
      ],
      explanation:
        'A third of the processor time validates fields. Every row is written twice, first to a staging table. So the import is atomic, and holds no lock while it waits for a slow source. A next step is to write an array directly into the table, because an array is never slow.',
    };
  },
};

function importRows(folder: Means['folder'], kind: 'ours' | 'bare', count: number): Import {
  const path = join(folder, 'import.sqlite');
  const output = execFileSync(process.execPath, [program, kind, path, String(count)], { encoding: 'utf8' });
  for (const ending of ['', '-wal', '-shm']) rmSync(path + ending, { force: true });
  return JSON.parse(output);
}
