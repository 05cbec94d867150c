import type { DriverInput } from './driver/driver-input.ts';
import { findOldestNode, findRuntime, type RuntimeBinary } from './find-runtime.ts';
import { type DriverRun, runProgram, runWorker } from './run-driver.ts';

/** The runtimes under test, with the Node of this repository and the oldest one that the packages support. */
type RuntimeName = 'Node' | 'oldest Node' | 'Bun' | 'Deno' | 'workerd';

/** A runtime that runs the client. */
export interface Runtime extends RuntimeBinary {
  readonly name: RuntimeName;
  /** Name that it reports. */
  readonly signature: string;
  /** Whether it passes the environment to the program. */
  readonly hasEnvironment: boolean;
  /** Differences in faults that the client cannot detect. */
  readonly differences: DriverInput['differences'];
  run(folder: string, input: DriverInput): Promise<DriverRun>;
}

/** The environment of the programs. */
export const environment = {
  MEMORY_API_URL: 'https://api.example.com/of-the-environment',
  MEMORY_API_KEY: 'KEYSECRET_of_the_environment',
};

const differences: Record<RuntimeName, DriverInput['differences']> = {
  Node: {},
  // The oldest Node treats the end of the connection as the end of the body.
  'oldest Node': {
    'a chunked body ends without its last chunk, with Connection: close': { ends: 'invalid_response' },
  },
  Bun: {},
  Deno: {},
  // workerd reports only the number of an internal error, so the client retries.
  workerd: { 'the certificate is signed by an unknown authority': { attempts: 3 } },
};

const denoOptions = [
  'run',
  '--no-prompt',
  '--no-config',
  '--node-modules-dir=manual',
  '--allow-net=127.0.0.1,memory-read.invalid',
  '--allow-env',
];

const deno = findRuntime('deno');

/** Deno without the permission to read the environment. */
export const closedDeno: Runtime = {
  ...program(
    'Deno',
    deno,
    denoOptions.filter((option) => option !== '--allow-env'),
  ),
  hasEnvironment: false,
};

/** Node comes first, because the other results are compared with it. */
export const runtimes: readonly Runtime[] = [
  program('Node', { version: process.versions.node, path: process.execPath }),
  program('oldest Node', findOldestNode()),
  program('Bun', findRuntime('bun')),
  program('Deno', deno, denoOptions),
  worker(findRuntime('workerd')),
];

function program(name: RuntimeName, binary: RuntimeBinary, options: readonly string[] = []): Runtime {
  return {
    ...binary,
    name,
    signature: `${name.replace('oldest ', '')} ${binary.version}`,
    hasEnvironment: true,
    differences: differences[name],
    run: (folder, input) => runProgram({ path: binary.path ?? '', options, environment }, folder, input),
  };
}

function worker(binary: RuntimeBinary): Runtime {
  return {
    ...binary,
    name: 'workerd',
    signature: 'Cloudflare-Workers',
    hasEnvironment: false,
    differences: differences.workerd,
    run: (folder, input) => runWorker(binary.path ?? '', folder, input),
  };
}
