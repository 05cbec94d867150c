import type { Command, Option } from 'commander';
import type { CommandContext } from '../terminal/cli-process.ts';
import { notEmpty } from './not-empty.ts';

/** The mirror to read. */
export interface MirrorOption extends CommandContext {
  /** Folder. */
  mirror?: string | undefined;
}

/** Adds the option of commands that read a mirror. */
export function addMirrorOption(command: Command): Command {
  return command.option(
    '--mirror <dir>',
    'folder of the mirror (default: MEMORY_READ_MIRROR, or memories)',
    notEmpty('--mirror'),
  );
}

/** Completes the option of a command that reads a mirror or a server. */
export function insteadOfServer(option: Option): Option {
  return option.argParser(notEmpty('--mirror')).conflicts(['baseUrl', 'apiKey', 'profile', 'allowInsecureHttp']);
}
