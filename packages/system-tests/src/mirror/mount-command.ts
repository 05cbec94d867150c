import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';

const commands = [
  ['unshare', '-Urm'],
  ['unshare', '-m'],
  // Some machines allow it only to root, among them those of the CI.
  ['sudo', '-n', 'unshare', '-m'],
];

/** Beginning of a command whose program can mount a disk that no other process sees; undefined if none is allowed. */
export const mountCommand: readonly string[] | undefined = commands.find(
  ([program = '', ...args]) =>
    spawnSync(program, [...args, 'mount', '-t', 'tmpfs', 'tmpfs', tmpdir()], { stdio: 'ignore' }).status === 0,
);
