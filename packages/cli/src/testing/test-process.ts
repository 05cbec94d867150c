import { EventEmitter } from 'node:events';
import { PassThrough, Writable } from 'node:stream';
import type { CliProcess, EndSignal } from '../terminal/cli-process.ts';

/** Process in which a test runs a command. Its environment has only what the test sets. */
export class TestProcess extends EventEmitter<Record<EndSignal | 'exit', []>> implements CliProcess {
  readonly argv: string[];
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: CliProcess['stdin'] & PassThrough = new PassThrough();
  readonly stdout: TestOutput = new TestOutput();
  readonly stderr: TestOutput = new TestOutput();
  readonly platform: NodeJS.Platform;
  exitCode: number | undefined;

  constructor({
    args = [],
    env = {},
    platform = process.platform,
  }: { args?: readonly string[]; env?: NodeJS.ProcessEnv; platform?: NodeJS.Platform } = {}) {
    super();
    this.platform = platform;
    this.argv = ['node', 'memory-read', ...args];
    this.env = env;
  }

  exit(): void {
    this.emit('exit');
  }

  /** Changes nothing: the mask of the test's own process would also apply to other tests. */
  umask(): number {
    return 0o022;
  }
}

/** Collects the text that is written to it. */
export class TestOutput extends Writable {
  /** No descriptor, so that nothing is known about the file behind it. */
  readonly fd = -1;
  isTTY?: boolean;
  columns?: number;
  rows?: number;
  /** Each text that was written. */
  readonly texts: string[] = [];

  constructor() {
    super({ decodeStrings: false });
  }

  get text(): string {
    return this.texts.join('');
  }

  override _write(chunk: unknown, _encoding: BufferEncoding, done: () => void): void {
    this.texts.push(String(chunk));
    this.emit('text');
    done();
  }
}
