import type { ListedMemory } from '@memory-read/client';
import { isSameBaseUrl } from '@memory-read/contract/base-url';
import { type Command, Option } from 'commander';
import { asProfile, type LoginOptions, readAnswers } from '../login/read-answers.ts';
import { updateConfiguration } from '../login/update-configuration.ts';
import { checkBaseUrl } from '../options/check-base-url.ts';
import { configurationPath } from '../options/configuration-path.ts';
import { addConnectionOptions } from '../options/connection-options.ts';
import { connect } from '../options/open-client.ts';
import { defaultProfile, environmentProfile } from '../options/profile-name.ts';
import { readConfiguration } from '../options/read-configuration.ts';
import type { Connection } from '../options/read-connection.ts';
import { CommandError, exitCodes } from '../terminal/command-error.ts';
import { explainFailure } from '../terminal/explain-failure.ts';
import { abortOnInterruption } from '../terminal/interrupted-error.ts';
import { maskKeys } from '../terminal/mask-keys.ts';
import { note } from '../terminal/note.ts';
import { quantity } from '../terminal/quantity.ts';
import { waitingHooks } from '../terminal/waiting-hooks.ts';

export function define(command: Command): void {
  addConnectionOptions(command)
    .addOption(new Option('--key-stdin', 'read the key from the first line of standard input').conflicts('apiKey'))
    .addHelpText('after', help)
    .action(runLogin);
}

const help = `
Reads the server and the API key from the terminal, tests them with one
request, and saves them in a file that only you can read. The key is not shown.
Without a terminal, pass --base-url, and --key-stdin or --api-key.
Ends with 3 if the server refuses the key. Nothing is saved in this case.

Examples:
  memory-read login
  memory-read login --profile work --base-url https://api.example.com
  memory-read login --base-url https://api.example.com --key-stdin < key.txt`;

async function runLogin(options: LoginOptions): Promise<void> {
  const { process } = options;
  const signal = abortOnInterruption(process);
  const path = configurationPath(process);
  const name = options.profile ?? environmentProfile(process) ?? defaultProfile;
  const saved = readConfiguration(path).get(name) ?? {};
  const { baseUrl: given, apiKey } = await readAnswers(options, saved, signal);
  const wasAllowed = saved.allowInsecureHttp === true && isSameBaseUrl(saved.baseUrl ?? '', given);
  const allowInsecureHttp = options.allowInsecureHttp ?? wasAllowed;
  const baseUrl = checkBaseUrl(given, allowInsecureHttp);
  const memories = await testLogin({ baseUrl, apiKey, allowInsecureHttp }, options, signal);
  signal.throwIfAborted();
  updateConfiguration(path, (profiles) => {
    profiles.set(name, { baseUrl, apiKey, ...(allowInsecureHttp && { allowInsecureHttp }) });
  });
  const userId: unknown = memories[0]?.user_id;
  const account = typeof userId === 'string' ? ` as ${userId}` : '';
  const count = quantity(memories.length, 'memory', 'memories');
  // A server could return the key in the place of the account.
  const server = maskKeys(process, `${baseUrl}${account}`);
  note(`Logged in to ${server}, ${count}. Saved in ${path}${asProfile(name)} for you alone.`, options);
  noteWhatGoesFirst(name, options);
}

/** Prints which settings override the saved login in other commands. */
function noteWhatGoesFirst(name: string, options: LoginOptions): void {
  const { MEMORY_API_URL, MEMORY_API_KEY, MEMORY_PROFILE } = options.process.env;
  const set = [...(MEMORY_API_URL ? ['MEMORY_API_URL'] : []), ...(MEMORY_API_KEY ? ['MEMORY_API_KEY'] : [])];
  const isNamed = name !== defaultProfile;
  if (set.length > 0) {
    const verb = set.length > 1 ? 'are set, and override' : 'is set, and overrides';
    const advice = isNamed ? `pass --profile ${name}` : `unset ${set.length > 1 ? 'them' : 'it'}`;
    note(`${set.join(' and ')} ${verb} the saved values. To use the saved login, ${advice}.`, options);
  } else if (isNamed && MEMORY_PROFILE !== name) {
    note(`To use it, pass --profile ${name}, or set MEMORY_PROFILE=${name}.`, options);
  }
  if (!isNamed && MEMORY_PROFILE) {
    note('MEMORY_PROFILE is set, and overrides the default profile.', options);
  }
}

/**
 * Sends one request with the key, and returns the memories of the account. Memories that violate the contract are
 * skipped, because the key is still valid.
 *
 * @throws CommandError if the server refuses the key or cannot be reached.
 */
async function testLogin(connection: Connection, options: LoginOptions, signal: AbortSignal): Promise<ListedMemory[]> {
  const hooks = waitingHooks(connection.baseUrl, options);
  const client = await connect({ ...connection, hooks, retries: 0, validation: 'off' });
  try {
    return await client.listMemories({ signal });
  } catch (error) {
    const { code } = Object(error);
    if (signal.aborted || code === undefined) throw error;
    if (code === 'authentication') {
      throw new CommandError(
        exitCodes.authentication,
        `Failed to log in: ${connection.baseUrl} refuses the key. Check the key in the account settings. Nothing was saved.`,
      );
    }
    const reason = explainFailure(options.process, error as Error).replace(
      /^Failed to list memories/,
      'Failed to log in',
    );
    const exitCode = exitCodeOf[String(code)] ?? exitCodes.failed;
    throw new CommandError(exitCode, `${reason} Nothing was saved.`);
  }
}

const exitCodeOf: Record<string, number> = { configuration: exitCodes.usage, timeout: exitCodes.timedOut };
