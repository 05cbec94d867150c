import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Copy, DockerfileParser, From, type Instruction } from 'dockerfile-ast';
import type { Image, ImageConfig } from './image.ts';

interface Stage {
  folder: string;
  config: ImageConfig;
}

/**
 * Runs the steps of the Dockerfile in a folder, for machines that cannot build an image. Absolute paths lead into the
 * folder, and everything runs as the user of the test. A step that is not supported here is an error.
 */
export function runSteps(folder: string, context: string): Image {
  const stages: Record<string, Stage> = {};
  let stage: Stage | undefined;
  const file = DockerfileParser.parse(readFileSync(join(context, 'Dockerfile'), 'utf8'));
  for (const instruction of file.getInstructions()) {
    if (instruction instanceof From) {
      const name = instruction.getBuildStage() ?? 'last';
      stage = { folder: join(folder, name), config: emptyConfig() };
      mkdirSync(stage.folder);
      stages[name] = stage;
    } else if (instruction.getKeyword() !== 'ARG') {
      if (stage === undefined) throw new Error('Failed to run the steps: FROM is not the first one. Move it.');
      runStep(stage, instruction, (from) => (from === undefined ? context : (stages[from]?.folder ?? '')));
    }
  }
  if (stage === undefined) throw new Error('Failed to run the steps: there is no FROM. Add it.');
  const { folder: last, config } = stage;
  return {
    config,
    pathOf: (path) => join(last, path),
    inContainer: ([program = '', ...args], mounts) => {
      const here = (path: string) => {
        const [, before = '', absolute] = /^(--[\w-]+=(?:file:)?)?(\/.*)$/.exec(path) ?? [];
        if (absolute === undefined) return path;
        const target = Object.keys(mounts).find((mount) => `${absolute}/`.startsWith(`${mount}/`));
        if (target === undefined) return `${before}${join(last, absolute)}`;
        return `${before}${mounts[target]}${absolute.slice(target.length)}`;
      };
      const variables = config.Env.map((variable) => variable.split('=') as [string, string]);
      const env = Object.fromEntries(variables.map(([name, value]) => [name, here(value)]));
      return {
        program: [program === 'node' ? process.execPath : program, ...args.map(here)],
        options: { cwd: here(config.WorkingDir), env: { PATH: process.env.PATH, ...env } },
      };
    },
    firstProcess: ({ pid }) => pid ?? 0,
  };
}

function runStep({ folder, config }: Stage, instruction: Instruction, folderOf: (from?: string) => string): void {
  const text = instruction.getArgumentsContent() ?? '';
  const words = instruction.getArguments().map((argument) => argument.getValue());
  const steps: Record<string, () => void> = {
    COPY() {
      const from = instruction instanceof Copy ? instruction.getFromFlag()?.getValue() : undefined;
      const target = words.at(-1) ?? '';
      const there = target.startsWith('/') ? join(folder, target) : join(folder, config.WorkingDir, target);
      for (const path of words.slice(0, -1))
        cpSync(join(folderOf(from ?? undefined), path), target === './' ? join(there, path) : there, {
          recursive: true,
        });
    },
    RUN() {
      // Only root can give files to another user.
      const command = text.replaceAll(' /', ` ${folder}/`).replaceAll('node:node', `${process.getuid?.()}`);
      execFileSync('sh', ['-euc', command], {
        cwd: join(folder, config.WorkingDir),
        // The cache of this machine could have what the step lacks.
        env: { ...process.env, npm_config_cache: join(folder, 'npm-cache') },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
    },
    WORKDIR() {
      config.WorkingDir = text;
      mkdirSync(join(folder, text), { recursive: true });
    },
    USER: () => (config.User = text),
    ENV: () => (config.Env = words),
    VOLUME: () => (config.Volumes = { [text]: {} }),
    ENTRYPOINT: () => (config.Entrypoint = JSON.parse(text)),
    CMD: () => (config.Cmd = JSON.parse(text)),
    HEALTHCHECK: () => (config.Healthcheck = { Test: JSON.parse(text.replace(/^.*?CMD \[/, '["CMD", ')) }),
    EXPOSE() {},
  };
  const step = steps[instruction.getKeyword()];
  if (!step) throw new Error(`Failed to run the steps: ${instruction.getKeyword()} is not supported here. Add it.`);
  step();
}

function emptyConfig(): ImageConfig {
  return { Env: [], User: 'root', WorkingDir: '/', Volumes: {}, Entrypoint: [], Cmd: [], Healthcheck: { Test: [] } };
}
