import type { MediaKind } from '@memory-read/client';
import { mediaKinds } from '@memory-read/contract/fields';
import { type Command, Option } from 'commander';
import { usageError } from '../terminal/command-error.ts';

/** Kinds of media as users type them. */
export const givenKinds: readonly string[] = [...mediaKinds, 'preview'];

/** Adds the option for the kinds of media. */
export function addKindOption(command: Command, description: string): Command {
  return command.addOption(
    new Option('--kind <kind...>', `${description}; several with commas, or repeated`)
      .choices(givenKinds)
      .argParser((text: string, before: readonly MediaKind[] = []) => [
        ...new Set([...before, ...text.split(',').map((kind) => parseKind(kind.trim(), '--kind'))]),
      ]),
  );
}

export function parseKind(text: string, option: string): MediaKind {
  const kind = mediaKinds.find((each) => each === (text === 'preview' ? 'preview_image' : text));
  if (kind !== undefined) return kind;
  throw usageError(`${option}: ${JSON.stringify(text)} is not a kind of media. Pass ${givenKinds.join(', ')}.`);
}
