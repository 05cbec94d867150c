import type { MediaKind } from '@memory-read/client';
import { mediaKinds } from '@memory-read/contract/fields';
import { type Command, Option } from 'commander';

/** A kind of media as users type it. */
export type GivenKind = MediaKind | 'preview';

/** Adds the option for the kinds of media. */
export function addKindOption(command: Command, description: string): Command {
  return command.addOption(new Option('--kind <kind...>', description).choices([...mediaKinds, 'preview']));
}

/** Returns the kinds of media; all if none is given. */
export function readKinds(given: readonly GivenKind[] | undefined): readonly MediaKind[] {
  if (given === undefined) return mediaKinds;
  return [...new Set(given.map((kind) => (kind === 'preview' ? 'preview_image' : kind)))];
}
