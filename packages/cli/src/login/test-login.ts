import type { ListedMemory } from '@memory-read/client';
import { connect } from '../options/open-client.ts';
import type { Connection } from '../options/read-connection.ts';
import { CommandError, exitCodes } from '../terminal/command-error.ts';
import { explainFailure } from '../terminal/explain-failure.ts';
import { waitingHooks } from '../terminal/waiting-hooks.ts';
import type { LoginOptions } from './login-options.ts';

/**
 * Sends one request with the key, and returns the memories of the account. Memories that violate the contract are
 * skipped, because the key is still valid.
 *
 * @throws CommandError if the server refuses the key or cannot be reached.
 */
export async function testLogin(
  connection: Connection,
  options: LoginOptions,
  signal: AbortSignal,
): Promise<ListedMemory[]> {
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
