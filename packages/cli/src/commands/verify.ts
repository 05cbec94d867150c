import type { ConformanceReport, Profile, RuleDescription } from '@memory-read/conformance';
import { longestTimer } from '@memory-read/contract/event-loop';
import { type Command, Option } from 'commander';
import { addConnectionOptions, type ConnectionOptions } from '../options/connection-options.ts';
import { durationOption } from '../options/parse-duration.ts';
import { type Connection, readConnection } from '../options/read-connection.ts';
import { readKey } from '../options/read-key.ts';
import { printReport, type ReportOptions, reportOption } from '../output/report-option.ts';
import type { CliProcess } from '../terminal/cli-process.ts';
import { asUsageError, CommandError, exitCodes } from '../terminal/command-error.ts';
import { abortOnInterruption } from '../terminal/interrupted-error.ts';
import { rootAdvice } from '../terminal/root-advice.ts';

/** Names of the options in the report. */
const keyLabels = {
  apiKey: '--api-key',
  otherAccountApiKey: '--other-api-key',
  inactiveApiKey: '--inactive-api-key',
  emptyAccountApiKey: '--empty-account-api-key',
  media: '--media',
};

interface VerifyOptions extends ConnectionOptions, ReportOptions {
  otherApiKey?: string | undefined;
  inactiveApiKey?: string | undefined;
  emptyAccountApiKey?: string | undefined;
  media?: boolean | undefined;
  rules: Profile;
  timeout: number;
}

export function define(command: Command): void {
  addConnectionOptions(command)
    .option('--other-api-key <source>', 'key of another account that has memories')
    .option('--inactive-api-key <source>', 'key that was valid once')
    .option('--empty-account-api-key <source>', 'key of an account without memories')
    .option('--media', 'follow signed URLs, once each')
    .addOption(
      durationOption('--timeout', 'limit for one request; the whole run may take ten times this', [30_000, '30s']),
    )
    .addOption(
      new Option('--rules <rules>', 'reference: also the decisions of this project where the specification is silent')
        .choices(['specification', 'reference'])
        .default('specification'),
    )
    .addOption(reportOption())
    .addHelpText('after', help)
    .action(runVerify);
}

const help = `
One key is enough for most rules. The report says what other keys would check.
Ends with 0 only if a list or a memory could be read and no rule is broken, with
3 if the key is refused.

Examples:
  memory-read verify --base-url https://api.example.com --api-key env:API_KEY
  memory-read verify --media --report junit > conformance.xml`;

async function runVerify(options: VerifyOptions): Promise<void> {
  const { process } = options;
  const signal = abortOnInterruption(process);
  const report = await verify(await readConnection(options), options, signal);
  const { conformanceRules, formatReport } = await import('@memory-read/conformance');
  await printReport((format) => formatReport(report, format), options, signal);
  throwIfFailed(process, report, new Set(conformanceRules.filter(isOfSpecification).map(({ id }) => id)));
}

async function verify(
  { baseUrl, apiKey }: Connection,
  options: VerifyOptions,
  signal: AbortSignal,
): Promise<ConformanceReport> {
  const key = async (option: string, source: string | undefined) =>
    source === undefined ? undefined : readKey(options.process, option, source);
  const keys = {
    apiKey,
    otherAccountApiKey: await key('--other-api-key', options.otherApiKey),
    inactiveApiKey: await key('--inactive-api-key', options.inactiveApiKey),
    emptyAccountApiKey: await key('--empty-account-api-key', options.emptyAccountApiKey),
  };
  const { media, rules, timeout } = options;
  const times = { timeout, totalTimeout: Math.min(timeout * 10, longestTimer) };
  const { runConformance } = await import('@memory-read/conformance');
  try {
    return await runConformance({ baseUrl, ...keys, keyLabels, media, profile: rules, ...times, signal });
  } catch (error) {
    throw asUsageError(error, 'Failed to start');
  }
}

function isOfSpecification({ profile }: RuleDescription): boolean {
  return profile === 'specification';
}

function throwIfFailed(process: CliProcess, report: ConformanceReport, specified: ReadonlySet<string>): void {
  const { passed, access, results, baseUrl } = report;
  if (passed) return;
  const broken = results.filter(({ status }) => status === 'failed');
  const isSpecificationMet = broken.length > 0 && !broken.some(({ rule }) => specified.has(rule));
  const rules = `${broken.length} of ${results.length} rules${isSpecificationMet ? ', but none of the specification' : ''}`;
  if (access === 'refused') {
    throw new CommandError(
      exitCodes.authentication,
      `Failed to verify ${JSON.stringify(baseUrl)}: the server refuses the key. Run memory-read login, or check --api-key or MEMORY_API_KEY.`,
    );
  }
  const reason = access === 'granted' ? `it breaks ${rules}. See the report.` : unreadableReason(process, report);
  throw new CommandError(exitCodes.failed, `Failed to verify ${JSON.stringify(baseUrl)}: ${reason}`);
}

/** Explains why nothing could be read. If the server did not respond, every rule would report the same. */
function unreadableReason(process: CliProcess, { results, baseUrl }: ConformanceReport): string {
  const list = results.find(({ rule }) => rule === '4.1 Success');
  const received = list?.status === 'failed' ? list.evidence.received : '';
  const [, silence] = /^no response: (.*)/.exec(received) ?? [];
  if (silence !== undefined) {
    return `no request got a response: ${silence}. Check --base-url and that the server runs. For a slow server, increase --timeout.`;
  }
  const advice = baseUrl.endsWith('/v1') ? rootAdvice(process) : 'See the report.';
  return `neither a list nor a memory could be read. ${advice}`;
}
