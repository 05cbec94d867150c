import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@memory-read/test-kit/repository';
import ts from 'typescript';

export interface SourceFile {
  /** Below `packages`, such as `client/src/index.ts`. */
  path: string;
  text: string;
  /** Specifiers of its imports and re-exports, also those of types. */
  imports: string[];
}

/** The TypeScript sources of all packages, also those that are not committed yet. */
export function sourceFiles(): SourceFile[] {
  return readFiles(listFiles('packages/*.ts').filter((path) => /\/src\/.*\.ts$/.test(path))).map((file) => {
    return { ...file, path: file.path.replace(/^packages\//, '') };
  });
}

/** All TypeScript files of the repository, with paths below its root: also tests, scripts and examples. */
export function allTypeScriptFiles(): SourceFile[] {
  return readFiles(listFiles('*.ts', '*.tsx', '*.mts'));
}

function listFiles(...patterns: string[]): string[] {
  const options = ['--cached', '--others', '--exclude-standard', '--deduplicate'];
  return execFileSync('git', ['ls-files', ...options, ...patterns], { cwd: root, encoding: 'utf8' }).split('\n');
}

function readFiles(paths: readonly string[]): SourceFile[] {
  return paths
    .filter((path) => path !== '')
    .map((path) => {
      const text = readFileSync(join(root, path), 'utf8');
      return { path, text, imports: ts.preProcessFile(text).importedFiles.map(({ fileName }) => fileName) };
    });
}

/**
 * Returns whether a file is never published: a test, a file that only tests of its package use, or a private package.
 */
export function isTest({ path }: SourceFile): boolean {
  return /\.test(-d|-support)?\.ts$|^(cli|client|mcp|mirror)\/src\/testing\/|^(benchmarks|integration-tests|system-tests|test-kit|docs-site)\//.test(
    path,
  );
}
