import type { Command, Option } from 'commander';
import type { CommandContext } from '../terminal/cli-process.ts';
import { usageError } from '../terminal/command-error.ts';
import type { ConnectionOptions } from './connection-options.ts';

/** The mirror to read. */
export interface MirrorOption extends CommandContext {
  /** Folder. */
  mirror?: string | undefined;
}

export function addMirrorOption(command: Command): Command {
  return command.option('--mirror <dir>', 'folder of the mirror (default: MEMORY_READ_MIRROR, or memories)');
}

export const ofServer = ['baseUrl', 'apiKey', 'profile', 'allowInsecureHttp'] as const;

/** Completes the option of a command that reads a mirror or a server. */
export function insteadOfServer(option: Option): Option {
  return option.conflicts([...ofServer]);
}

/** @throws CommandError if a command that reads a mirror instead of a server has options of a server. */
export function assertInsteadOfServer(options: ConnectionOptions & MirrorOption): void {
  if (options.mirror === undefined || ofServer.every((name) => options[name] === undefined)) return;
  throw usageError('--mirror: a mirror is read without a server. Leave out --mirror, or the options of the server.');
}
