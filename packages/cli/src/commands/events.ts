import { type Command, Option } from 'commander';
import { addEventOptions } from '../events/event-options.ts';
import { addMirrorOption } from '../options/mirror-option.ts';
import { parseCount } from '../options/parse-count.ts';
import { parseDuration } from '../options/parse-duration.ts';
import { addOutputOptions } from '../terminal/output-options.ts';

export function define(events: Command): void {
  const add = (name: string, description: string, help: string) =>
    addOutputOptions(addMirrorOption(events.command(name).description(description))).addHelpText('after', help);
  const sink = 'name of the sink';
  const ofLog = ['after', 'limit', 'type', 'payload', 'maxBytes'];
  addEventOptions(add('list', 'List the events, or those that a sink has set aside.', listHelp))
    .option('--after <event-id>', 'only events after this one (default: all)')
    .option('--limit <number>', 'most events (default: all)', parseCount('--limit', 999_999_999))
    .addOption(new Option('--sink <name>', 'events that this sink has set aside, in place of all').conflicts(ofLog))
    .addOption(new Option('--state <state>', 'with --sink: only these').choices(['retrying', 'parked']))
    .action(async (options) => (await import('../events/list-events.ts')).listEvents(options));
  add('sinks', 'List the sinks, and how far each one is.', sinksHelp)
    .option(
      '--stalled <duration>',
      'fail if a sink is stopped, or has events that wait and delivered none for longer',
      parseDuration('--stalled'),
    )
    .action(async (options) => (await import('../events/list-sinks.ts')).listSinks(options));
  add('replay', 'Deliver events again: all of them or none.', replayHelp)
    .argument('[event-ids...]', 'ids of events')
    .requiredOption('--sink <name>', sink)
    .option('--parked', 'all parked events of the sink')
    .action(async (ids, options) => (await import('../events/change-sinks.ts')).replayEvents(ids, options));
  add('resume', 'Deliver to a stopped sink again.', resumeHelp)
    .argument('<sink>', sink)
    .action(async (name, options) => (await import('../events/change-sinks.ts')).resumeSink(name, options));
  add('remove', 'Forget a sink, and what it has set aside.', removeHelp)
    .argument('<sink>', sink)
    .action(async (name, options) => (await import('../events/change-sinks.ts')).removeSink(name, options));
}

const listHelp = `
Lines of JSON, oldest first: {"id":…,"type":"memory.added","timestamp":…,"data":
{"memory_id":…,"fields":[],"memory":{…}}}. Types are memory.added, processed,
changed and missing. With --sink: {"eventId":…,"type":…,"memoryId":…,
"state":"retrying","attempts":…,"error":…,"failedAt":…,"nextTry":…}.
Ends with 2 if the mirror never had the event of --after, and with 4 if there is
no such sink.

Examples:
  memory-read events list --type processed --payload transcript
  memory-read events list --sink default --state parked`;

const sinksHelp = `
A sink is a named receiver of \`watch\`. Lines of JSON: {"sink":…,"delivered":…,
"pending":…,"retrying":…,"parked":…,"oldestPending":…,"lastDelivered":…,
"failures":…,"nextTry":…,"error":…,"stopped":…}. Times can be null.
With --stalled, it ends with 1 if a sink is stopped, or has a pending event that
is older, and has delivered none since. It names these sinks on standard error.

Example:
  memory-read events sinks --stalled 15m`;

const replayHelp = `
The running \`watch\`, or the next one, sends the events again with their ids. A
receiver that drops repeats drops them too.
The line of JSON is {"event":"replayed","sink":…,"events":…}. Ends with 4 if
there is no such sink or event.

Examples:
  memory-read events replay evt_1 evt_2 --sink default
  memory-read events replay --sink default --parked`;

const resumeHelp = `
All its events that wait are due at once. The running \`watch\`, or the next one,
delivers them. The line of JSON is {"event":"resumed","sink":…}. Ends with 4 if
there is no such sink.

Example:
  memory-read events resume default`;

const removeHelp = `
The events stay in the mirror. A later \`watch\` with the same name is a new sink,
which gets all events, unless you pass --skip-existing.
The line of JSON is {"event":"removed","sink":…}. Ends with 4 if there is no
such sink.`;
