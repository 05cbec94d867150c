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

interface CommandOptions extends ConnectionOptions, OutputOptions {
  /** Polling interval in milliseconds. */
  interval: number;
  existing?: boolean | undefined;
  skipExisting?: boolean | undefined;
}

export function define(command: Command): void {
  command
    .option('--existing', 'also print the memories that exist at the start')
    .addOption(new Option('--skip-existing', 'print only what is new (default)').conflicts('existing'))
    .option('--interval <duration>', 'time between two requests (default: 30s)', parseDuration('--interval'));
  addOutputOptions(addConnectionOptions(command)).addHelpText('after', help).action(runWatch);
}

const help = `
Starts with what is new, and remembers nothing.
Each change is a line of JSON: {"type":"added","memory":{…}}, "processed", once
a memory, {"type":"changed","memory":{…},"fields":[…]}, or
{"type":"missing","memoryId":…}.
A failed poll is reported and repeated. Ctrl+C ends the watch.

Examples:
  memory-read watch
  memory-read watch --interval 5m | jq --unbuffered 'select(.type == "missing")'`;

async function runWatch(options: CommandOptions): Promise<void> {
  const { process, interval, existing = false } = options;
  const signal = abortOnInterruption(process);
  const client = await connect(await readConnection(options));
  let isPolled = false;
  const onEnd = ({ error }: { error?: unknown }) => {
    if (error !== undefined || isPolled) return;
    isPolled = true;
    if (isForPeople(options)) note('Watching for new memories and changes. Press Ctrl+C to stop.', options);
  };
  const watch = client.withOptions({ hooks: { onEnd } }).watchMemories({
    interval,
    initial: existing ? 'emit' : 'skip',
    signal,
    onError(error, { isFatal }) {
      // An error that ends the watch is printed at its end.
      if (!isFatal) note(`${explainFailure(process, error)} The watch continues.`, options);
    },
  });
  for await (const change of watch) {
    if (!(await print(process, formatChange(change, options), signal))) return;
  }
}

function formatChange(change: MemoryChange, options: OutputOptions): string {
  return isForPeople(options) ? toText(options.process, change) : jsonLine(change);
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
