import { withServers } from '../loopback/start-server.ts';
import type { Finding, Row } from '../measurement/row.ts';
import { runRounds } from '../measurement/run-rounds.ts';
import { pairedRatio, spreadOf } from '../measurement/statistics.ts';
import { timePerCall } from '../measurement/time.ts';
import { memoryAnswerFile } from '../memories/answer-files.ts';
import { longRecord } from '../memories/long-record.ts';
import { type ClientName, clientCalls, peerNames } from '../peers/client-calls.ts';

export const clientGetMemory: Row = {
  id: 'client-get-memory',
  title: 'Client: one small memory, per call',
  method:
    'All clients call one bare server on loopback, one call after the other, and receive the same bytes. The client validates the key and every field. `fetch` sends the same headers, and its text is parsed. ky has the same timeout and retries. The other SDKs have their defaults, and none of them validates.',
  async measure({ sizes, folder }) {
    const file = await memoryAnswerFile(folder, longRecord(3));
    return withServers({ api: ['fixed-answer', file] }, async ({ api }) => {
      const rounds = await measureCalls(clientCalls(api.url, 'getMemory'), sizes.rounds, sizes.callsARound);
      const ratio = (name: ClientName) => pairedRatio(rounds.ours, rounds[name]);
      return {
        findings: [
          {
            what: '`getMemory` against `fetch` and `JSON.parse`',
            value: ratio('fetch'),
            unit: '×',
            goal: { atMost: 1.35 },
          },
          { what: '`getMemory` against ky', value: ratio('ky'), unit: '×', goal: { atMost: 1.05 } },
          ...peerNames.map(
            (name): Finding => ({
              what: `\`getMemory\` against ${name}`,
              value: ratio(name),
              unit: '×',
              goal: { atMost: 1 },
            }),
          ),
          { what: '`getMemory` by itself', value: spreadOf(rounds.ours), unit: 'µs' },
        ],
        explanation:
          'ky alone takes about a third longer than `fetch`, and the client a tenth longer than ky. A [decision](decisions/ky.md) explains why ky stays. The SDKs stripe, assemblyai and resend take about as long as `fetch`. Three trials: without the place of the call, which gives an error the frames of its caller, a call takes 20 µs of 310 less, as long as with ky. The frames stay, because they show where a failed call came from, and a call over a network takes milliseconds. Without the second `Request`, which keeps the key out of the errors of ky, it takes 1 µs less. A body that is decoded as it arrives, as it is now, changes nothing here, but a long list takes a sixth less.',
      };
    });
  },
};

/** Microseconds a call, of every client in every round. */
export function measureCalls<Name extends string>(
  calls: Record<Name, () => Promise<unknown>>,
  rounds: number,
  count: number,
): Promise<Record<Name, number[]>> {
  const contenders = Object.entries<() => Promise<unknown>>(calls).map(
    ([name, call]) => [name, () => timePerCall(count, call)] as const,
  );
  return runRounds(rounds, Object.fromEntries(contenders) as Record<Name, () => Promise<number>>);
}
