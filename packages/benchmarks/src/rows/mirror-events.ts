import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createWebhookSender, openMirror } from '@memory-read/mirror';
import { withServers } from '../loopback/start-server.ts';
import { amount, ratio } from '../measurement/finding.ts';
import type { Row } from '../measurement/row.ts';
import { runProgram } from '../measurement/run-node.ts';
import { runRounds } from '../measurement/run-rounds.ts';
import { time } from '../measurement/time.ts';
import { fillLog, webhookSecret } from '../memories/logged-events.ts';

/** Events of one round. */
const ROUND = 50;

/** The flags that `memory-read` sets for itself. */
const smallHeap = ['--semi-space-growth-factor=1', '--heap-growing-percent=50'];

interface Delivered {
  delivered: number;
  milliseconds: number;
  peakBytes: number;
}

export const mirrorEvents: Row = {
  id: 'mirror-events',
  title: 'Mirror: deliveries of events',
  method:
    'A receiver in its own process reads each event and answers 204. The other side posts the same number of bodies with `fetch`, and commits a row with `synchronous=FULL` after each. A separate process with the heap of `memory-read` fills a mirror and delivers its events to a receiver that is dead for the first two seconds.',
  measure: ({ sizes, folder }) =>
    withServers({ receiver: ['webhook-receiver'] }, async ({ receiver }) => {
      const own = (name: string) => {
        mkdirSync(join(folder, name));
        return join(folder, name);
      };
      const logged = own('logged');
      await fillLog(logged, sizes.loggedEvents);
      const mirror = await openMirror({ folder: logged });
      const send = createWebhookSender({ url: receiver.url, secret: webhookSecret });
      const { idle } = await runRounds(sizes.rounds, {
        idle: () => time(() => mirror.deliver('idle', send, { from: 'now' })),
      });
      const [event] = (await mirror.events({ limit: 1 })).events;
      const body = JSON.stringify(event);
      const database = new DatabaseSync(join(own('alone'), 'commits.sqlite'));
      database.exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; CREATE TABLE commits (count INTEGER)');
      const { ours, alone } = await runRounds(sizes.longRounds, {
        ours: () => time(() => mirror.deliver('paced', send, { limit: ROUND })),
        alone: () => postAndCommit(receiver.url, database, body),
      });
      database.close();
      await mirror.close();
      const count = sizes.deliveredEvents;
      const run = runProgram<Delivered>('deliver-events', [own('dead'), count, receiver.url], smallHeap);
      if (run.delivered !== count) throw new Error(`Failed to deliver ${count} events: ${run.delivered} arrived.`);
      const events = `${count.toLocaleString('en')} events`;
      return {
        findings: [
          amount(`Nothing is due, log of ${sizes.loggedEvents.toLocaleString('en')}`, 'ms', idle, { atMost: 5 }),
          ratio('An event, against one request and one commit', ours, alone, { atMost: 3 }),
          amount(`${events}, after the receiver is alive`, 's', run.milliseconds / 1_000, { atMost: 60 }),
          amount(`${events}: most memory, with their sync`, 'MiB', run.peakBytes / 1_048_576, { atMost: 256 }),
        ],
      };
    }),
};

/** Posts bodies one after another, each with a commit after its response. */
function postAndCommit(url: string, database: DatabaseSync, body: string): Promise<number> {
  const insert = database.prepare('INSERT INTO commits VALUES (1)');
  return time(async () => {
    for (let left = ROUND; left > 0; left -= 1) {
      const response = await fetch(url, { method: 'POST', body });
      await response.arrayBuffer();
      insert.run();
    }
  });
}
