import type { MemoryChange } from '@memory-read/client';
import type { Command } from 'commander';
import { addConnectionOptions, type ConnectionOptions } from '../options/connection-options.ts';
import { notEmpty } from '../options/not-empty.ts';
import { connect } from '../options/open-client.ts';
import { parseDuration } from '../options/parse-duration.ts';
import { readConnection } from '../options/read-connection.ts';
import { cutLineEnd } from '../terminal/cut-line-end.ts';
import { explainFailure } from '../terminal/explain-failure.ts';
import { abortOnInterruption } from '../terminal/interrupted-error.ts';
import { jsonLine } from '../terminal/json-line.ts';
import { note } from '../terminal/note.ts';
import { addOutputOptions, type OutputOptions } from '../terminal/output-options.ts';
import { print } from '../terminal/print.ts';
import { isForPeople } from '../terminal/print-result.ts';
import { style } from '../terminal/style.ts';
import { visibleLine } from '../terminal/visible-text.ts';
import { openWatchState } from '../watch/open-watch-state.ts';
import { WatchFollower } from '../watch/watch-follower.ts';

interface CommandOptions extends ConnectionOptions, OutputOptions {
  /** Polling interval in milliseconds. */
  interval: number;
  state?: string | undefined;
  skipExisting?: boolean | undefined;
  allowEmpty?: boolean | undefined;
}

export function defineWatch(command: Command): void {
  command
    .option('--state <file>', 'where the watch stands; one begun with the same file goes on there', notEmpty('--state'))
    .option('--skip-existing', 'leave out what is there at the first look')
    .option('--allow-empty', 'take an empty list for that of the account whose state it is')
    .option('--interval <duration>', 'from one look to the next (default: 30s)', parseDuration('--interval'));
  addOutputOptions(addConnectionOptions(command)).addHelpText('after', help).action(runWatch);
}

const help = `
Each change is a line of JSON: {"type":"added","memory":{…}}, and likewise "processed", once a memory;
{"type":"changed","memory":{…},"fields":[…]}; {"type":"missing","memoryId":…}.
With --state nothing is lost, whatever ends the watch; a crash repeats the changes of one look at most. A state that
has memories is refused where the first list is empty: the key may be that of another account. Where a crash cut the
last line of a file off, what is appended begins on a line of its own: skip what is not valid JSON, it comes again.
A look that fails is told on standard error, and repeated. Ctrl+C ends the watch.

Examples:
  memory-read watch --skip-existing
  memory-read watch --state watch.json >> changes.jsonl
  memory-read watch --interval 5m | jq --unbuffered --raw-output 'select(.type == "processed").memory.id'`;

async function runWatch(options: CommandOptions): Promise<void> {
  const signal = abortOnInterruption();
  const { interval, skipExisting } = options;
  const connection = readConnection(options);
  const client = await connect(connection);
  const state = openWatchState(options, connection.baseUrl);
  let follower: WatchFollower | undefined;
  let polls = 0;
  let before = state.resumed ? cutLineEnd() : '';
  const onEnd = ({ error }: { error?: unknown }) => {
    if (error === undefined) polls += 1;
    // The changes are found after the call has ended.
    setImmediate(() => follower?.saveIfIdle());
  };
  const watch = client.withOptions({ hooks: { onEnd } }).watchMemories({
    state: state.resumed,
    interval,
    initial: skipExisting ? 'skip' : 'emit',
    signal,
    onError(error, { isFatal }) {
      // An error that ends the watch is printed at its end.
      if (!isFatal) note(`${explainFailure(error)} The watch continues.`, options);
    },
  });
  follower = new WatchFollower(watch, {
    print(changes) {
      if (polls === 1) state.checkFirstPoll(changes);
      const text = before + formatChanges(changes, options);
      before = '';
      return print(text, signal);
    },
    save: state.save,
  });
  await follower.follow();
}

function formatChanges(changes: readonly MemoryChange[], options: OutputOptions): string {
  const format = isForPeople(options) ? toText : jsonLine;
  return changes.map(format).join('');
}

function toText(change: MemoryChange): string {
  const time = style('dim', new Date().toTimeString().slice(0, 'HH:MM:SS'.length));
  const type = style(colours[change.type], change.type.padEnd('processed'.length));
  return `${time}  ${type}  ${visibleLine(describe(change))}\n`;
}

function describe(change: MemoryChange): string {
  if (change.type === 'missing') return change.memoryId;
  const fields = change.type === 'changed' ? `  (${change.fields.join(', ')})` : '';
  return `${change.memory.id}${fields}  ${change.memory.name}`;
}

const colours = { added: 'cyan', processed: 'green', changed: 'yellow', missing: 'red' } as const;
