import { addAbortSignal, type Readable } from 'node:stream';
import { readBaseUrl } from '@memory-read/contract/base-url';
import type { ConnectionOptions } from '../options/connection-options.ts';
import { defaultProfile } from '../options/profile-name.ts';
import type { Profile } from '../options/read-configuration.ts';
import { readKey } from '../options/read-key.ts';
import { askQuestions, type Question } from '../terminal/ask-questions.ts';
import { CommandError, exitCodes, usageError } from '../terminal/command-error.ts';
import { rememberKey } from '../terminal/mask-keys.ts';
import { visibleLine } from '../terminal/visible-text.ts';

/** Values of the user that are not checked yet. */
export interface Answers {
  baseUrl: string;
  apiKey: string;
}

/**
 * Reads the base URL and the key from options, standard input or questions on the terminal.
 *
 * @throws CommandError without a terminal, if an option is missing; if the key is not one.
 */
export async function readAnswers(options: LoginOptions, saved: Profile, signal: AbortSignal): Promise<Answers> {
  const { process } = options;
  const optionKey = options.apiKey === undefined ? undefined : await readKey(process, '--api-key', options.apiKey);
  const isTerminal = process.stdin.isTTY === true && process.stderr.isTTY === true;
  const asksForUrl = options.baseUrl === undefined;
  const asksForKey = optionKey === undefined && !(options.keyStdin === true && !process.stdin.isTTY);
  if ((asksForUrl || asksForKey) && !isTerminal) throw withoutTerminal();
  // An invalid one must not be shown, because it can contain a password.
  const known = readBaseUrl(saved.baseUrl ?? process.env.MEMORY_API_URL ?? '', true);
  const suggested = known.problem === undefined ? known.url : undefined;
  const questions: Question[] = [
    ...(asksForUrl ? [{ text: suggested === undefined ? 'Server: ' : `Server [${visibleLine(suggested)}]: ` }] : []),
    ...(asksForKey ? [{ text: 'API key (not shown): ', isHidden: true }] : []),
  ];
  // Both lines are read before either is checked. Otherwise, the shell would read a pasted key.
  const answers = await askQuestions(process, questions, signal);
  const typedUrl = asksForUrl ? answers.shift()?.trim() || suggested : options.baseUrl;
  const apiKey = optionKey ?? (asksForKey ? answers.shift() : await readFirstLine(process.stdin, signal))?.trim() ?? '';
  rememberKey(process, apiKey);
  if (typedUrl === undefined) {
    throw new CommandError(
      exitCodes.usage,
      'Failed to log in: no server was given. Pass one such as https://api.example.com.',
    );
  }
  if (!/^[\x21-\x7e]+$/.test(apiKey)) {
    const reason = apiKey === '' ? 'no API key was given' : 'the API key has characters other than visible ASCII';
    throw new CommandError(exitCodes.usage, `Failed to log in: ${reason}. Copy the key from the account settings.`);
  }
  return { baseUrl: typedUrl, apiKey };
}

function withoutTerminal(): CommandError {
  return new CommandError(
    exitCodes.usage,
    'Failed to log in: there is no terminal to ask on. Pass --base-url, and --key-stdin or --api-key env:NAME or file:PATH.',
  );
}

/** Returns the words for a profile in messages. The default profile has none. */
export function asProfile(name: string): string {
  return name === defaultProfile ? '' : ` as the profile ${name}`;
}

const longest = 65_536;

/**
 * Returns the first line of a stream, without its line end. The rest is not read.
 *
 * @throws The reason of the signal if it aborts.
 */
async function readFirstLine(stream: Readable, signal: AbortSignal): Promise<string> {
  addAbortSignal(signal, stream);
  let text = '';
  try {
    for await (const chunk of stream.setEncoding('utf8')) {
      text += chunk;
      if (text.includes('\n')) break;
      if (text.length > longest) throw usageError('--key-stdin: the first line is too long. Pass only the key.');
    }
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
  return text.replace(/\r?\n.*$/s, '');
}

/** Options of `login`. */
export interface LoginOptions extends ConnectionOptions {
  /** Whether the key is the first line of standard input. */
  keyStdin?: boolean | undefined;
}
