import { connect } from '../options/open-client.ts';
import { readConnection } from '../options/read-connection.ts';
import { explainRepeated } from '../terminal/explain-failure.ts';
import { abortOnInterruption } from '../terminal/interrupted-error.ts';
import { jsonLine } from '../terminal/json-line.ts';
import { note } from '../terminal/note.ts';
import { print } from '../terminal/print.ts';
import { isForPeople } from '../terminal/print-result.ts';
import { formatMemoryLine } from './change-line.ts';
import type { WatchOptions } from './watch-options.ts';

/** Prints the changes of an account until the process is ended. Nothing is stored. */
export async function printChanges(options: WatchOptions): Promise<void> {
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
    interval: interval?.from,
    initial: existing ? 'emit' : 'skip',
    signal,
    onError(error, { isFatal }) {
      // An error that ends the watch is printed at its end.
      if (!isFatal) note(explainRepeated(process, error), options);
    },
  });
  for await (const change of watch) {
    const [id, name] = change.type === 'missing' ? [change.memoryId, ''] : [change.memory.id, change.memory.name];
    const fields = change.type === 'changed' ? change.fields : [];
    const line = isForPeople(options)
      ? formatMemoryLine(process, { type: change.type, id, fields, name })
      : jsonLine(change);
    if (!(await print(process, line, signal))) return;
  }
}
