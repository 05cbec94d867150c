import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { runInNewContext } from 'node:vm';
import { beginProgram } from '@memory-read/contract/program';

/** Runs the main file of a program as if on another version of Node, without what it imports dynamically. */
export function runMain(file: URL, version: string) {
  const source = readFileSync(file, 'utf8')
    .replace(/^import \{ beginProgram \}.*$/m, '')
    .replaceAll('import(', 'load(');
  const warnings: unknown[] = [];
  const loaded: string[] = [];
  const run = { stderr: '', exitCode: undefined as number | undefined };
  const exited: number[] = [];
  const process = Object.assign(new EventEmitter(), {
    exit: (code: number) => void exited.push(code),
    versions: { node: version.slice(1) },
    argv: [],
    stderr: { write: (text: string) => (run.stderr += text) },
    emitWarning: (...warning: unknown[]) => warnings.push(warning),
  });
  Object.defineProperty(process, 'exitCode', { set: (code: number) => (run.exitCode = code) });
  const load = (module: string) => {
    loaded.push(module);
    return new Promise(() => {});
  };
  runInNewContext(stripTypeScriptTypes(source), { process, load, beginProgram });
  return { ...run, process, warnings, loaded, exited };
}
