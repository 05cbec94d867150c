import { type ApiKeyInfo, createApiKey } from '@memory-read/server';
import type { Command } from 'commander';
import { parseAccountId } from '../options/account-id.ts';
import { parseExpiry } from '../options/parse-expiry.ts';
import { createKeyCommand } from '../storage/create-key-command.ts';
import { openExistingStorage, openStorage } from '../storage/open-storage.ts';
import type { Storage } from '../storage/storage.ts';
import { addStorageOptions, type StorageOptions } from '../storage/storage-options.ts';
import { CommandError, exitCodes, usageError } from '../terminal/command-error.ts';
import { formatDateTime } from '../terminal/format-date-time.ts';
import { formatTable } from '../terminal/format-table.ts';
import { jsonLine } from '../terminal/json-line.ts';
import { print, writeOutput } from '../terminal/print.ts';
import { formatResult, isForPeople, printResult } from '../terminal/print-result.ts';
import { commandName } from '../terminal/ready-message.ts';
import { terminalWidth } from '../terminal/terminal-width.ts';
import { visibleLine } from '../terminal/visible-text.ts';

interface OutputOptions extends StorageOptions {
  json?: boolean | undefined;
}

export function defineKeys(keys: Command): void {
  withOutput(keys.command('create').description('Create a key and print it, once.'))
    .requiredOption('--account <user-id>', 'user_id that the key belongs to; created if new', parseAccountId)
    .option(
      '--expires <when>',
      'last day such as 2027-01-31, local time such as "2027-01-31 12:00", or a duration such as 90d',
    )
    .option('--label <text>', 'name for the key in keys list, up to 100 characters', parseLabel)
    .addHelpText('after', createExamples)
    .action(createKey);
  withOutput(keys.command('revoke').description('Revoke a key at once.'))
    .argument('<key-id>', 'id of the key, as `keys list` prints it')
    .action(revokeKey);
  withOutput(keys.command('list').description('List keys; the keys themselves are not stored.'))
    .option('--account <user-id>', 'only the keys of this user_id', parseAccountId)
    .action(listKeys);
}

const createExamples = `
Examples:
  memory-read keys create --account user_1
  memory-read keys create --account user_1 --expires 90d --label "Ada's laptop"`;

function withOutput(command: Command): Command {
  return addStorageOptions(command).option('--json', 'print JSON, as without a terminal');
}

/** Refuses a label that no store takes. */
function parseLabel(label: string): string {
  if (label.includes('mrk_')) throw usageError('--label: it contains an API key. Pass a name.');
  const isValid = label.trim() !== '' && label.length <= 100 && visibleLine(label) === label;
  if (!isValid) throw usageError('--label: it does not have 1 to 100 visible characters on one line. Pass a name.');
  return label;
}

interface CreateOptions extends OutputOptions {
  account: string;
  expires?: string | undefined;
  label?: string | undefined;
}

async function createKey(options: CreateOptions): Promise<void> {
  const { label } = options;
  const createdAt = new Date();
  const expiresAt = options.expires === undefined ? undefined : parseExpiry(options.expires, createdAt);
  const storage = await openStorage(options);
  try {
    const { key, keyId, keyHash } = createApiKey();
    await storage.putAccount({ userId: options.account });
    await storage.putApiKey({ keyId, keyHash, userId: options.account, expiresAt, label, createdAt });
    if (isForPeople(options))
      process.stderr.write(`${keyId} of ${visibleLine(options.account)}. This is the only time it shows:\n`);
    const json = {
      keyId,
      userId: options.account,
      apiKey: key,
      expiresAt: expiresAt?.toISOString() ?? null,
      label: label ?? null,
      createdAt: createdAt.toISOString(),
    };
    await showKey(storage, keyId, formatResult({ json, text: key }, options));
  } finally {
    await storage.close();
  }
}

/** Prints a new key. If that fails, the key is revoked, because it is shown only once. */
async function showKey(storage: Storage, keyId: string, text: string): Promise<void> {
  try {
    await writeOutput(text);
  } catch (cause) {
    await storage.revokeApiKey(keyId);
    throw new CommandError(
      exitCodes.failed,
      `Failed to show the new key: standard output cannot be written (${(cause as NodeJS.ErrnoException).code}). The key was revoked; create another one.`,
      { cause },
    );
  }
}

async function revokeKey(keyId: string, options: OutputOptions): Promise<void> {
  if (keyId.includes('mrk_')) {
    throw usageError('the key id: it is an API key. Pass its id, as shown by `memory-read keys list`.');
  }
  const storage = await openExistingStorage(options);
  try {
    if (!(await storage.revokeApiKey(keyId))) {
      throw new CommandError(
        exitCodes.notFound,
        `Failed to revoke ${JSON.stringify(keyId)}: the key does not exist. See memory-read keys list.`,
      );
    }
    await printResult({ json: { event: 'revoked', keyId }, text: `Revoked ${keyId}.` }, options);
  } finally {
    await storage.close();
  }
}

async function listKeys(options: OutputOptions & { account?: string | undefined }): Promise<void> {
  const storage = await openExistingStorage(options);
  try {
    const { account } = options;
    const listed = (await storage.listApiKeys(account)).map((apiKey) => toRow(apiKey, new Date()));
    if (account !== undefined && listed.length === 0 && (await storage.findAccount(account)) === undefined) {
      throw new CommandError(
        exitCodes.notFound,
        `Failed to list the keys of ${JSON.stringify(account)}: the account does not exist. Check its spelling.`,
      );
    }
    const lines = isForPeople(options) ? [`${formatKeyTable(listed, options)}\n`] : listed.map((row) => jsonLine(row));
    await print(lines.join(''));
  } finally {
    await storage.close();
  }
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

function formatKeyTable(rows: readonly KeyRow[], storage: StorageOptions): string {
  if (rows.length === 0)
    return `There are no keys. Make one with: ${createKeyCommand(storage, commandName(process.env))}`;
  const cells = rows.map(({ keyId, userId, label, status, createdAt, expiresAt }) => {
    const created = createdAt === null ? '' : formatDateTime(createdAt);
    return [keyId, userId, label ?? '', status, created, expiresAt === null ? 'never' : formatDateTime(expiresAt)];
  });
  return formatTable(
    [['KEY ID', 'ACCOUNT', 'LABEL', 'STATUS', 'CREATED', 'EXPIRES'], ...cells],
    terminalWidth(),
    [2, 1],
  );
}
