import { runConformance } from '@memory-read/conformance';
import { withServers } from '../loopback/start-server.ts';
import { exactly, type Row } from '../measurement/row.ts';
import { runRounds } from '../measurement/run-rounds.ts';
import { spreadOf } from '../measurement/statistics.ts';
import { time } from '../measurement/time.ts';
import { conformanceKeys } from '../memories/conformance-keys.ts';

export const conformanceRun: Row = {
  id: 'conformance-run',
  title: 'Conformance run',
  method:
    'A run checks all rules of the profile `reference`, with all keys, against a local server with some dozens of memories and their media.',
  async measure({ sizes }) {
    return withServers({ api: ['conformance-target'] }, async ({ api }) => {
      let requests = 0;
      const run = async () => {
        const report = await runConformance({
          baseUrl: api.url,
          ...conformanceKeys,
          media: true,
          profile: 'reference',
        });
        if (!report.passed) throw new Error('Failed to measure: the server does not conform. Run verify on it.');
        requests = report.requests;
      };
      const { seconds } = await runRounds(sizes.longRounds, { seconds: async () => (await time(run)) / 1_000 });
      return {
        findings: [
          { what: 'A run', value: spreadOf(seconds), unit: 's', goal: { atMost: 2 } },
          { what: 'Requests in it', value: exactly(requests), unit: 'requests' },
        ],
      };
    });
  },
};
