import type { SyncReport } from '@memory-read/mirror';
import { expect, test } from 'vitest';
import type { ProgressState } from '../terminal/create-progress.ts';
import { TestProcess } from '../testing/test-process.ts';
import { MirrorReport } from './mirror-report.ts';

test('counts a memory as done only after everything is planned', () => {
  const shown: ProgressState[] = [];
  const progress = {
    update: (state: ProgressState) => void shown.push(state),
    finish() {},
    printAbove: async () => {},
    clear() {},
  };
  const report = new MirrorReport(progress, () => {}, { process: new TestProcess(), isDryRun: false });
  const counts = { mediaSaved: 0 } as SyncReport;
  report.follow({ type: 'listed', listed: 3, inRange: 3, due: 2, report: counts });
  report.follow({ type: 'planned', memoryId: 'mem_1' });
  report.follow({ type: 'planned', memoryId: 'mem_2' });
  report.follow({ type: 'memory', memoryId: 'mem_1', change: 'added', done: 1, due: 2 });
  expect(shown.map(({ text }) => text)).toEqual(['Mirroring 2 of 3 memories, 0 files, 0 B']);
});
