import type { ChildProcess, SpawnOptions } from 'node:child_process';

/** What an image says about its containers. */
export interface ImageConfig {
  Env: readonly string[];
  User: string;
  WorkingDir: string;
  Volumes: Readonly<Record<string, object>>;
  Entrypoint: readonly string[];
  Cmd: readonly string[];
  Healthcheck: { Test: readonly string[] };
}

/** An image, or the folder in which its steps ran. */
export interface Image {
  config: ImageConfig;
  /** Returns the path on this machine of a path in the image. */
  pathOf(path: string): string;
  /** The program and the options that run a command as in a container, with folders of this machine by their paths in it. */
  inContainer(
    command: readonly string[],
    mounts: Readonly<Record<string, string>>,
  ): { program: readonly string[]; options: SpawnOptions };
  /** The process that a container's runtime would send SIGTERM to. */
  firstProcess(child: ChildProcess): number;
}
