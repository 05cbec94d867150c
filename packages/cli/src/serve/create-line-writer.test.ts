import { Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createLineWriter } from './create-line-writer.ts';

const describeGap = (lines: number) => `${lines} left out`;

test('writes the lines of one turn together, and drain waits for them', async () => {
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

test('drops and counts lines if the reader is too slow', async () => {
  const { stream, written, take } = slowStream();
  const lines = createLineWriter(stream, { describeGap, limit: 5 });
  lines.write('a');
  await setImmediate();
  for (const line of ['second', 'third', 'fourth']) lines.write(line);
  take();
  await setImmediate();
  expect(written).toEqual(['a\n', 'second\n2 left out\n']);
});

test('does not block on a stream that fails', async () => {
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
