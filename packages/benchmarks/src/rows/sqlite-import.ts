import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { amount, ratio } from '../measurement/finding.ts';
import type { Row } from '../measurement/row.ts';
import { runProgram } from '../measurement/run-node.ts';
import { runRounds } from '../measurement/run-rounds.ts';

export const sqliteImport: Row = {
  id: 'sqlite-import',
  title: 'Server: import into SQLite',
  method:
    'Each import is a separate process. It fills a new file of the same schema, with the same settings and rows of about 300 bytes. The bare import binds the rows to a prepared statement in one transaction. The store validates each row, normalizes its times, and stages all rows until the last one has arrived. A source that fails leaves the store unchanged. Both have the small heap of `memory-read import`.',
  async measure({ sizes: { importedRows, longRounds }, folder }) {
    const importRows = (kind: 'ours' | 'bare', count: number) => {
      const path = join(folder, 'import.sqlite');
      const result = runProgram<{ milliseconds: number; peakBytes: number }>('import-rows', [kind, path, count]);
      for (const ending of ['', '-wal', '-shm']) rmSync(path + ending, { force: true });
      return result;
    };
    const { ours, bare } = await runRounds(longRounds, {
      ours: () => importRows('ours', importedRows).milliseconds,
      bare: () => importRows('bare', importedRows).milliseconds,
    });
    const growth = importRows('ours', importedRows).peakBytes - importRows('ours', importedRows / 10).peakBytes;
    const perSecond = ours.map((milliseconds) => importedRows / milliseconds);
    const rows = importedRows.toLocaleString('en');
    const grown = 'Most memory ever held, over that of a tenth of the rows';
    return {
      findings: [
        ratio(`${rows} rows, against a bare prepared statement`, ours, bare, { atMost: 2 }),
        amount('Thousand rows a second', 'k/s', perSecond),
        amount(grown, 'MiB', growth / 1_048_576, { atMost: 32 }),
      ],
      explanation:
        'A third of the processor time validates fields. Every row is written twice, first to a staging table. So the import is atomic, and holds no lock while it waits for a slow source. A next step is to write an array directly into the table, because an array is never slow.',
    };
  },
};
