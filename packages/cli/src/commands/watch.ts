import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { MemoryChange } from '@memory-read/client';
import { type Command, Option } from 'commander';
import { addConnectionOptions, type ConnectionOptions } from '../options/connection-options.ts';
import { connect } from '../options/open-client.ts';
import { parseDuration } from '../options/parse-duration.ts';
import { readConnection } from '../options/read-connection.ts';
import type { CliProcess } from '../terminal/cli-process.ts';
import { explainFailure } from '../terminal/explain-failure.ts';
import { displayWidth, fitText } from '../terminal/fit-text.ts';
import { fitToTerminal } from '../terminal/fit-to-terminal.ts';
import { abortOnInterruption } from '../terminal/interrupted-error.ts';
import { jsonLine } from '../terminal/json-line.ts';
import { note } from '../terminal/note.ts';
import { addOutputOptions, type OutputOptions } from '../terminal/output-options.ts';
import { print } from '../terminal/print.ts';
import { isForPeople } from '../terminal/print-result.ts';
import { style } from '../terminal/style.ts';
import { terminalWidth } from '../terminal/terminal-width.ts';
import { visibleLine } from '../terminal/visible-text.ts';
import { openWatchState } from '../watch/open-watch-state.ts';
import { WatchFollower } from '../watch/watch-follower.ts';

interface CommandOptions extends ConnectionOptions, OutputOptions {
  /** Polling interval in milliseconds. */
  interval: number;
  state?: string | undefined;
  existing?: boolean | undefined;
  skipExisting?: boolean | undefined;
  allowEmpty?: boolean | undefined;
}

export function define(command: Command): void {
  command
    .option('--state <file>', 'file that remembers the position; the next watch resumes there')
    .option('--existing', 'also print the memories that exist at the start (default with a new --state)')
    .addOption(new Option('--skip-existing', 'with a new --state: only what is new').conflicts('existing'))
    .option('--allow-empty', 'accept an empty list although the state has memories')
    .option('--interval <duration>', 'time between two requests (default: 30s)', parseDuration('--interval'));
  addOutputOptions(addConnectionOptions(command)).addHelpText('after', help).action(runWatch);
}

const help = `
Starts with what is new. With --state, it resumes where that watch ended, and a
new state starts with all memories.
Each change is a line of JSON: {"type":"added","memory":{…}}, "processed", once
a memory, {"type":"changed","memory":{…},"fields":[…]}, or
{"type":"missing","memoryId":…}.

With --state, no change is lost: a watch that ended resumes, and after a crash
repeats the changes of one poll at most. A state that has memories is refused if
the first list is empty, as the key may belong to another account. If a crash
cut the last line, the next one begins on a line of its own. Skip lines that are
not valid JSON: their changes are repeated.
A failed poll is reported and repeated. Ctrl+C ends the watch.

Examples:
  memory-read watch
  memory-read watch --state watch.json >> changes.jsonl
  memory-read watch --interval 5m | jq --unbuffered 'select(.type == "missing")'`;

async function runWatch(options: CommandOptions): Promise<void> {
  const { process, interval, existing = options.state !== undefined && !options.skipExisting } = options;
  const signal = abortOnInterruption(process);
  const connection = await readConnection(options);
  const client = await connect(connection);
  const state = openWatchState(options, connection.baseUrl);
  let follower: WatchFollower | undefined;
  let polls = 0;
  let before = state.resumed ? cutLineEnd(process) : '';
  const onEnd = ({ error }: { error?: unknown }) => {
    if (error === undefined) polls += 1;
    if (polls === 1 && isForPeople(options))
      note('Watching for new memories and changes. Press Ctrl+C to stop.', options);
    // The changes are found after the call has ended.
    setImmediate(() => follower?.saveIfIdle());
  };
  const watch = client.withOptions({ hooks: { onEnd } }).watchMemories({
    state: state.resumed,
    interval,
    initial: existing ? 'emit' : 'skip',
    signal,
    onError(error, { isFatal }) {
      // An error that ends the watch is printed at its end.
      if (!isFatal) note(`${explainFailure(process, error)} The watch continues.`, options);
    },
  });
  follower = new WatchFollower(watch, {
    print(changes) {
      if (polls === 1) state.checkFirstPoll(changes);
      const text = before + formatChanges(changes, options);
      before = '';
      return print(process, text, signal);
    },
    save: state.save,
  });
  await follower.follow();
}

function formatChanges(changes: readonly MemoryChange[], options: OutputOptions): string {
  const format = isForPeople(options) ? (change: MemoryChange) => toText(options.process, change) : jsonLine;
  return changes.map(format).join('');
}

function toText(process: CliProcess, change: MemoryChange): string {
  const time = style(process, 'dim', new Date().toTimeString().slice(0, 'HH:MM:SS'.length));
  const type = style(process, colours[change.type], change.type.padEnd('processed'.length));
  const [id, name] = change.type === 'missing' ? [change.memoryId, ''] : [change.memory.id, change.memory.name];
  const fields = change.type === 'changed' ? `  (${change.fields.join(', ')})` : '';
  const begin = `${time}  ${type}  ${visibleLine(id + fields)}  `;
  const width = Math.max(narrowestName, terminalWidth(process) - displayWidth(begin));
  return `${fitToTerminal(begin + fitText(visibleLine(name), width), process.stdout).trimEnd()}\n`;
}

const narrowestName = 8;

const colours = { added: 'cyan', processed: 'green', changed: 'yellow', missing: 'red' } as const;

/**
 * Returns a line break if standard output is appended to a file whose last line is incomplete.
 *
 * A process that was killed can leave such a line, and the next line would be joined to it.
 */
function cutLineEnd({ stdout }: CliProcess): '\n' | '' {
  try {
    const output = fstatSync(stdout.fd);
    if (!output.isFile() || output.size === 0) return '';
    // The file is opened again, because a file opened for appending cannot be read.
    const file = openSync(`/dev/fd/${stdout.fd}`, 'r');
    try {
      const last = Buffer.alloc(1);
      return readSync(file, last, 0, 1, output.size - 1) === 1 && last[0] !== lineFeed ? '\n' : '';
    } finally {
      closeSync(file);
    }
  } catch {
    // The system cannot open files by their descriptors, so no line break is added.
    return '';
  }
}

const lineFeed = 0x0a;
