import type { EventOptions, MemoryEventType } from '@memory-read/mirror';
import { type Command, Option } from 'commander';
import { parseCount } from '../options/parse-count.ts';
import { usageError } from '../terminal/command-error.ts';

/** Options of a command that say what events contain. */
export interface EventFlags {
  type?: MemoryEventType[] | undefined;
  payload?: EventOptions['payload'];
  maxBytes?: number | undefined;
}

/** Types of events as users type them. The shell completes the short ones. */
const givenTypes = ['added', 'processed', 'changed', 'missing'] as const;

/** Adds the options that say what events contain. */
export function addEventOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--type <type...>', 'only these types; several with commas, or repeated')
        .choices(givenTypes)
        .argParser((text: string, before: readonly MemoryEventType[] = []) => [
          ...new Set([...before, ...text.split(',').map((type) => parseType(type.trim()))]),
        ]),
    )
    .addOption(
      new Option(
        '--payload <payload>',
        'only the id of a memory, all but its transcript (default: memory), or all',
      ).choices(['reference', 'memory', 'transcript']),
    )
    .option('--max-bytes <number>', 'largest event (default: 262144)', parseCount('--max-bytes', 16_777_216, 1_024));
}

/** Returns the options of the library. */
export function toEventOptions({ type, payload, maxBytes }: EventFlags): EventOptions {
  return { types: type, payload, maxBytes };
}

function parseType(text: string): MemoryEventType {
  const type = givenTypes.find((each) => each === text.replace(/^memory\./, ''));
  if (type !== undefined) return `memory.${type}`;
  throw usageError(`--type: ${JSON.stringify(text)} is not a type of event. Pass ${givenTypes.join(', ')}.`);
}
