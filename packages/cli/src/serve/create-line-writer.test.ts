import { Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createLineWriter } from './create-line-writer.ts';

const describeGap = (lines: number) => `${lines} left out`;

test('lines of one turn go out together, and drain waits for them', async () => {
  const { stream, written, take } = slowStream();
  const lines = createLineWriter(stream, { describeGap });
  await lines.drain();
  lines.write('one');
  lines.write('two');
  await setImmediate();
  lines.write('three');
  let isDrained = false;
  const drained = lines.drain().then(() => (isDrained = true));
  expect(written).toEqual(['one\ntwo\n']);
  take();
  await setImmediate();
  expect([written, isDrained]).toEqual([['one\ntwo\n', 'three\n'], false]);
  take();
  await drained;
});

test('what a reader does not take in time is left out, and counted', async () => {
  const { stream, written, take } = slowStream();
  const lines = createLineWriter(stream, { describeGap, limit: 5 });
  lines.write('a');
  await setImmediate();
  for (const line of ['second', 'third', 'fourth']) lines.write(line);
  take();
  await setImmediate();
  expect(written).toEqual(['a\n', 'second\n2 left out\n']);
});

test('a stream that fails holds nobody up', async () => {
  const stream = new Writable({ write: (_chunk, _, done) => done(new Error('EPIPE')) }).on('error', () => {});
  const lines = createLineWriter(stream, { describeGap });
  for (const line of ['one', 'two']) {
    lines.write(line);
    await lines.drain();
    expect(stream.writableLength).toBe(0);
  }
}, 900); // shorter than the timeout of `drain`

/** A stream whose reader takes one chunk at a time. */
function slowStream() {
  const written: string[] = [];
  let taken = () => {};
  const stream = new Writable({
    decodeStrings: false,
    write(chunk, _, done) {
      written.push(String(chunk));
      taken = done;
    },
  });
  return { stream, written, take: () => taken() };
}
