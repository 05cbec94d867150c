import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sampleMedia } from '@memory-read/fixtures';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../testing/run-cli.ts';
import { describeNonMedia } from './download-file.ts';

function judge(content: string | Uint8Array): string | undefined {
  const path = join(temporaryDirectory(), 'media');
  writeFileSync(path, content);
  return describeNonMedia(path);
}

test.each([
  ['', 'nothing'],
  ['<!doctype html><p>Sign in – please', 'a page'],
  ['\ufeff\n <html>', 'a page'],
  ['<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>', 'a page'],
  ['{"detail":"Not found"}', 'JSON'],
  [' []', 'JSON'],
])('describes %j, which is not a recording', (content, what) => {
  expect(judge(content)).toBe(what);
});

test.each(['audio', 'video', 'preview_image'] as const)('a sample of %s is one', (kind) => {
  expect(judge(sampleMedia(kind).bytes)).toBeUndefined();
});

test.each(['<svg xmlns="http://www.w3.org/2000/svg"/>', '#!AMR\n', '<\u0000', '{\u0001"'])('accepts %j', (content) => {
  expect(judge(content)).toBeUndefined();
});
