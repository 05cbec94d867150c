import { type Command, Option } from 'commander';
import { addEventOptions } from '../events/event-options.ts';
import { needsMirror, type WatchOptions } from '../events/watch-options.ts';
import { addConnectionOptions } from '../options/connection-options.ts';
import { parseCount } from '../options/parse-count.ts';
import { parseDuration, parseDurationPair } from '../options/parse-duration.ts';
import { parseSink } from '../options/sink-name.ts';
import { addOutputOptions } from '../terminal/output-options.ts';

export function define(command: Command): void {
  command
    .option('--mirror <dir>', 'remember in this mirror (default with a sink: MEMORY_READ_MIRROR, or memories)')
    .addOption(new Option('--exec <command>', 'run a command for each event').conflicts('webhook'))
    .option('--webhook <url>', 'post each event to a URL, or to that of env:NAME or file:PATH')
    .option(
      '--secret <source...>',
      'env:NAME or file:PATH of the secret that signs (default: MEMORY_READ_WEBHOOK_SECRET)',
    )
    .option(
      '--sink <name>',
      'name of the receiver, whose position is remembered (default: default)',
      parseSink('--sink'),
    );
  addEventOptions(command)
    .option(
      '--max-tries <number>',
      'tries at fault before an event is parked (default: 20)',
      parseCount('--max-tries', 1_000),
    )
    .option('--retry <range>', 'pauses before retries (default: 1s..5m)', parseDurationPair('--retry'))
    .option(
      '--interval <range>',
      'time between two requests (default: 10s..5m; 30s without a mirror)',
      parseDurationPair('--interval'),
    )
    .option(
      '--timeout <duration>',
      'limit of one try (default: 15s, with --exec 5m)',
      parseDuration('--timeout', { from: '1ms', to: '1d' }),
    )
    .option('--once', 'sync once, deliver what is due, and end')
    .addOption(
      new Option('--no-sync', 'read no API: another process syncs the mirror').conflicts([
        'baseUrl',
        'apiKey',
        'profile',
      ]),
    )
    .option('--existing', 'without a mirror: also print the memories that exist at the start')
    .addOption(new Option('--skip-existing', 'begin with what is new, also with a new sink').conflicts('existing'))
    .option('--allow-empty', 'accept an empty list although the mirror has memories');
  addOutputOptions(addConnectionOptions(command)).addHelpText('after', help).action(runCommand);
}

const help = `
Without a mirror, it prints what is new, and remembers nothing. Each change is a
line of JSON: {"type":"added","memory":{…}}, "processed", once a memory,
{"type":"changed","memory":{…},"fields":[…]}, or {"type":"missing",
"memoryId":…}.

The options up to --once need a mirror, which remembers what was delivered. Each
event is delivered at least once, also after a crash, and in the order of its
memory. --exec gives it to the command as JSON on standard input. --webhook
signs it as Standard Webhooks says. Without both, it is printed.

With --exec or --webhook, each try is a line of JSON: {"event":"delivered",
"eventId":…,"type":…,"memoryId":…,"attempt":1}, or "retrying", "parked" or
"stopped" with an "error". With --once, the last line is {"event":"watched",
"sink":…,"delivered":…,"failed":…,"parked":…,"pending":…}, and the exit code is
1 if an event is pending or was parked. A sink that is stopped ends with 4. See
memory-read events.

Examples:
  memory-read watch
  memory-read watch --type processed --exec 'jq -r .data.memory.name'
  memory-read watch --webhook file:url.txt --secret file:secret.txt --once`;

async function runCommand(options: WatchOptions): Promise<void> {
  if (needsMirror(options)) return (await import('../events/run-watch.ts')).watchMirror(options);
  return (await import('../events/print-changes.ts')).printChanges(options);
}
