import { type ApiKeyInfo, createApiKey } from '@memory-read/server';
import type { Command } from 'commander';
import { parseAccountId } from '../options/account-id.ts';
import { addFormatOptions, chosenFormat, type FormatOptions } from '../output/format-option.ts';
import { jsonDocument } from '../output/json-document.ts';
import { markdownTable } from '../output/markdown-table.ts';
import { printPaged } from '../output/print-paged.ts';
import { createKeyCommand, storageArguments } from '../storage/create-key-command.ts';
import { createFileNote, openExistingStorage, openStorage } from '../storage/open-storage.ts';
import type { Storage } from '../storage/storage.ts';
import { addStorageOptions, type StorageOptions } from '../storage/storage-options.ts';
import type { CliProcess } from '../terminal/cli-process.ts';
import { CommandError, exitCodes, usageError } from '../terminal/command-error.ts';
import { formatDateTime } from '../terminal/format-date-time.ts';
import { tableLines } from '../terminal/format-table.ts';
import { abortOnInterruption } from '../terminal/interrupted-error.ts';
import { jsonLine } from '../terminal/json-line.ts';
import { mapLazily } from '../terminal/map-lazily.ts';
import { note, printMessage } from '../terminal/note.ts';
import type { OutputOptions } from '../terminal/output-options.ts';
import { writeOutput } from '../terminal/print.ts';
import { formatResult, isForPeople, printResult } from '../terminal/print-result.ts';
import { commandName } from '../terminal/ready-message.ts';
import { styleHeading } from '../terminal/style.ts';
import { terminalWidth } from '../terminal/terminal-width.ts';
import { visibleLine } from '../terminal/visible-text.ts';
import { readTime } from '../times/read-time.ts';
import { systemClock } from '../times/system-clock.ts';

export function define(keys: Command, process: CliProcess): void {
  withOutput(process, keys.command('create').description('Create a key and print it, once.'))
    .requiredOption('--account <user-id>', 'user_id that the key belongs to; created if new', parseAccountId)
    .option(
      '--expires <when>',
      'last day such as 2027-01-31, local time such as "2027-01-31 12:00", or a duration such as 90d',
    )
    .option('--label <text>', 'name for the key in keys list, up to 100 characters', parseLabel)
    .addHelpText('after', createExamples)
    .action(createKey);
  addStorageOptions(
    addFormatOptions(keys.command('list').description('List keys; the keys themselves are not stored.')),
    process,
  )
    .option('--account <user-id>', 'only the keys of this user_id', parseAccountId)
    .action(listKeys);
  withOutput(process, keys.command('revoke').description('Revoke a key at once.'))
    .argument('<key-id>', 'id of the key, as `keys list` prints it')
    .action(revokeKey);
}

const createExamples = `
Examples:
  memory-read keys create --account user_1
  memory-read keys create --account user_1 --expires 90d --label "Ada's laptop"`;

function withOutput(process: CliProcess, command: Command): Command {
  return addStorageOptions(command, process).option('--json', 'print JSON, as without a terminal');
}

/** Rejects a label that no store accepts. */
function parseLabel(label: string): string {
  if (label.includes('mrk_')) throw usageError('--label: it contains an API key. Pass a name.');
  const isValid = label.trim() !== '' && label.length <= 100 && visibleLine(label) === label;
  if (!isValid) throw usageError('--label: it does not have 1 to 100 visible characters on one line. Pass a name.');
  return label;
}

interface CreateOptions extends StorageOptions, OutputOptions {
  account: string;
  expires?: string | undefined;
  label?: string | undefined;
}

async function createKey(options: CreateOptions): Promise<void> {
  const { label } = options;
  const createdAt = new Date();
  const expiresAt = options.expires === undefined ? undefined : parseExpiry(options.expires, createdAt);
  const noteNewFile = createFileNote(options);
  const storage = await openStorage(options);
  try {
    const { key, keyId, keyHash } = createApiKey();
    await storage.putAccount({ userId: options.account });
    const info = { keyId, userId: options.account, active: true, expiresAt, label, createdAt };
    await storage.putApiKey({ ...info, keyHash });
    if (isForPeople(options))
      printMessage(options.process, `Created ${keyId} for ${options.account}. This key is shown only once:`);
    const json = { ...toRow(info, createdAt), apiKey: key };
    await showKey(options, storage, keyId, formatResult({ json, text: key }, options));
    noteNewFile();
  } finally {
    await storage.close();
  }
}

/** Prints a new key. If that fails, the key is revoked, because it is shown only once. */
async function showKey({ process }: CreateOptions, storage: Storage, keyId: string, text: string): Promise<void> {
  try {
    await writeOutput(process, text);
  } catch (cause) {
    await storage.revokeApiKey(keyId);
    throw new CommandError(
      exitCodes.failed,
      `Failed to print the new key: standard output cannot be written (${(cause as NodeJS.ErrnoException).code}). The key was revoked. Create another one.`,
      { cause },
    );
  }
}

async function revokeKey(keyId: string, options: StorageOptions & OutputOptions): Promise<void> {
  if (keyId.includes('mrk_')) {
    throw new CommandError(
      exitCodes.usage,
      'Failed to revoke the key: this is the key itself. Pass its id, as memory-read keys list shows it.',
    );
  }
  const storage = await openExistingStorage(options);
  try {
    if (!(await storage.revokeApiKey(keyId))) {
      throw new CommandError(
        exitCodes.notFound,
        `Failed to revoke ${JSON.stringify(keyId)}: there is no such key. See ${commandName(options.process.env)} keys list ${storageArguments(options)}.`,
      );
    }
    await printResult({ json: { event: 'revoked', keyId }, text: `Revoked ${keyId}.` }, options);
  } finally {
    await storage.close();
  }
}

async function listKeys(options: ListOptions): Promise<void> {
  const signal = abortOnInterruption(options.process);
  const storage = await openExistingStorage(options);
  try {
    const { process, account } = options;
    const listed = (await storage.listApiKeys(account)).map((apiKey) => toRow(apiKey, new Date()));
    if (account !== undefined && listed.length === 0 && (await storage.findAccount(account)) === undefined) {
      throw new CommandError(
        exitCodes.notFound,
        `Failed to list the keys of ${JSON.stringify(account)}: the account does not exist. Check its spelling.`,
      );
    }
    if (listed.length === 0) {
      const command = createKeyCommand(options, commandName(process.env));
      if (process.stderr.isTTY) note(`There are no keys yet. Create one with: ${command}`, options);
    }
    await printPaged(formatKeys(listed, options), options, signal);
  } finally {
    await storage.close();
  }
}

interface ListOptions extends StorageOptions, FormatOptions {
  account?: string | undefined;
}

interface KeyRow {
  keyId: string;
  userId: string;
  status: 'active' | 'revoked' | 'expired';
  expiresAt: string | null;
  label: string | null;
  createdAt: string | null;
}

function toRow({ keyId, userId, active, expiresAt, label, createdAt }: ApiKeyInfo, now: Date): KeyRow {
  const validity = expiresAt && expiresAt <= now ? 'expired' : 'active';
  return {
    keyId,
    userId,
    status: active ? validity : 'revoked',
    expiresAt: expiresAt?.toISOString() ?? null,
    label: label ?? null,
    createdAt: createdAt?.toISOString() ?? null,
  };
}

function formatKeys(rows: readonly KeyRow[], options: ListOptions): string | Iterable<string> {
  const { process } = options;
  const format = chosenFormat(options);
  if (format === 'jsonl') return mapLazily(rows, (row) => jsonLine(row));
  if (format === 'json') return jsonDocument(rows);
  if (rows.length === 0) return '';
  if (format === 'markdown') return markdownTable(cellsOf(rows));
  return styleHeading(process, tableLines(cellsOf(rows), terminalWidth(process), [2, 1]));
}

function cellsOf(rows: readonly KeyRow[]): string[][] {
  const cells = rows.map(({ keyId, userId, label, status, createdAt, expiresAt }) => {
    // Without its time, the table fits 80 columns.
    const created = createdAt === null ? '' : formatDateTime(createdAt).slice(0, 'YYYY-MM-DD'.length);
    return [keyId, userId, label ?? '', status, created, expiresAt === null ? 'never' : formatDateTime(expiresAt)];
  });
  return [['KEY ID', 'ACCOUNT', 'LABEL', 'STATUS', 'CREATED', 'EXPIRES'], ...cells];
}

/**
 * Parses an expiry: a time as in `--until`, whose day is included, or a duration from now such as `90d`.
 *
 * @throws CommandError if the text is neither, or the expiry is in the past.
 */
export function parseExpiry(text: string, now: Date): Date {
  const { timeZone } = systemClock();
  const expiresAt = readTime(text, { limit: 'until', now, timeZone, durations: 'future' });
  if (expiresAt === undefined) {
    throw usageError(
      `--expires: ${JSON.stringify(text)} is not a time. Pass one such as 2027-01-31, "2027-01-31 12:00" or 90d.`,
    );
  }
  if (expiresAt <= now) throw usageError(`--expires: ${JSON.stringify(text)} is in the past. Pass a later time.`);
  return expiresAt;
}
