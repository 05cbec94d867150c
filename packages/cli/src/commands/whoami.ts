import type { Command } from 'commander';
import { addConnectionOptions, type ConnectionOptions } from '../options/connection-options.ts';
import { connect } from '../options/open-client.ts';
import { resolveConnection } from '../options/read-connection.ts';
import { formatDateTime } from '../terminal/format-date-time.ts';
import { abortOnInterruption } from '../terminal/interrupted-error.ts';
import { jsonOption, type OutputOptions } from '../terminal/output-options.ts';
import { printResult } from '../terminal/print-result.ts';
import { visibleLine } from '../terminal/visible-text.ts';
import { waitingHooks } from '../terminal/waiting-hooks.ts';

interface WhoamiOptions extends ConnectionOptions, OutputOptions {}

export function define(command: Command): void {
  addConnectionOptions(command).addOption(jsonOption()).addHelpText('after', help).action(runWhoami);
}

const help = `
Sends one request. The line of JSON is {"baseUrl":…,"baseUrlFrom":…,
"keyFrom":…,"profile":…,"userId":…,"memories":…,"newest":…}. userId is null for
an account without memories, and newest is the time of its newest memory. The
key is not shown.

Examples:
  memory-read whoami
  memory-read whoami --profile work --json`;

async function runWhoami(options: WhoamiOptions): Promise<void> {
  const signal = abortOnInterruption(options.process);
  const { baseUrl, apiKey, allowInsecureHttp, baseUrlFrom, keyFrom, profile = null } = await resolveConnection(options);
  const hooks = waitingHooks(baseUrl, options);
  const client = await connect({ baseUrl, apiKey, allowInsecureHttp, hooks, retries: 0 });
  const memories = await client.listMemories({ signal });
  const [first] = memories;
  const json = {
    baseUrl,
    baseUrlFrom,
    keyFrom,
    profile,
    userId: first?.user_id ?? null,
    memories: memories.length,
    newest: first?.started_at ?? null,
  };
  await printResult({ json, text: toText(json) }, options, signal);
}

function toText({ baseUrl, baseUrlFrom, keyFrom, userId, memories, newest }: Whoami): string {
  const rows = [
    ['Server', `${baseUrl} (${baseUrlFrom})`],
    ['Key', `from ${keyFrom}`],
    ['Account', userId ?? 'unknown, it has no memories'],
    ['Memories', `${memories.toLocaleString('en-US')}${newest === null ? '' : `, newest ${formatDateTime(newest)}`}`],
  ];
  return rows.map(([label = '', value = '']) => `${label.padEnd(10)}${visibleLine(value)}`).join('\n');
}

interface Whoami {
  baseUrl: string;
  baseUrlFrom: string;
  keyFrom: string;
  userId: string | null;
  memories: number;
  newest: string | null;
}
