import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { endOf } from '@memory-read/test-kit/start-process';
import { expect, test } from 'vitest';
import { openAccount, saidRecord } from '../testing/open-account.ts';
import { openForTest } from '../testing/open-for-test.ts';
import { filesWith } from '../testing/read-folder.ts';

const mirrorModule = JSON.stringify(import.meta.resolve('../index.ts'));
const NAMES = 40;

/** Starts a process that names a speaker again and again. It writes a line when it has begun. */
function startNaming(folder: string, memoryId: string) {
  const code = `
    const { openMirror } = await import(${mirrorModule});
    const mirror = await openMirror({ folder: ${JSON.stringify(folder)} });
    for (let index = 1; index <= ${NAMES}; index += 1) {
      await mirror.people.name('${memoryId}', 'Speaker 1', '${memoryId} ' + index);
      if (index === 1) console.log('begun');
    }
    await mirror.close();`;
  const args = ['--conditions=@memory-read/source', '--input-type=module', '--eval', code];
  return spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'pipe'] });
}

test('two processes name speakers while a memory is purged and a person is forgotten, and nothing is lost', async () => {
  const folder = makeFolder();
  const account = await openAccount();
  await account.put(...['mem_1', 'mem_2', 'mem_3', 'mem_4'].map((id) => saidRecord(id, ['Good morning.'])));
  const mirror = await openForTest({ folder });
  await mirror.sync(account.clientOf('https://api.example.com'));
  await mirror.people.name('mem_1', 'Speaker 1', 'Quokka');
  await mirror.people.name('mem_4', 'Speaker 1', 'Walrus');
  const children = ['mem_2', 'mem_3'].map((id) => startNaming(folder, id));
  const begun = children.map(({ stdout }) => once(stdout, 'data'));
  const ended = children.map((child) => endOf(child));
  await Promise.all(begun);
  const isFinished = async (work: () => Promise<unknown>) => {
    const error = await work().then(
      () => undefined,
      (reason: { code?: string }) => reason,
    );
    // A process that reads at this moment keeps the log.
    expect([undefined, 'busy']).toContain(error?.code);
    return error === undefined;
  };
  const works = [() => mirror.purge('mem_1'), () => mirror.people.forget('Walrus')];
  const finished: boolean[] = [];
  for (const work of works) finished.push(await isFinished(work));
  for (const { code, stderr } of await Promise.all(ended)) expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  for (const [index, work] of works.entries()) if (!finished[index]) expect(await isFinished(work)).toBe(true);
  for (const text of ['mem_1', 'Quokka', 'quokka', 'Walrus', 'walrus']) expect(filesWith(folder, text)).toEqual([]);
  const names = (await mirror.listMemories()).memories.map(({ memory, names }) => [memory.id, { ...names }]);
  expect(Object.fromEntries(names)).toEqual({
    mem_2: { 'Speaker 1': `mem_2 ${NAMES}` },
    mem_3: { 'Speaker 1': `mem_3 ${NAMES}` },
    mem_4: {},
  });
  expect(await mirror.people.list()).toHaveLength(2);
  expect((await mirror.check()).damaged).toEqual([]);
});
