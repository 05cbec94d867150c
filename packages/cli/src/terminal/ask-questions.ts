import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import type { CliProcess } from './cli-process.ts';
import { CommandError, exitCodes } from './command-error.ts';
import { InterruptedError } from './interrupted-error.ts';

export interface Question {
  text: string;
  /** Whether the input is not shown. Default: false. */
  isHidden?: boolean | undefined;
  /** Returns whether a line is valid. Otherwise, the question is repeated. Default: every line is valid. */
  accepts?: ((line: string) => boolean) | undefined;
}

/**
 * Asks the questions on standard error, and returns the lines that the user types. The terminal is restored at the end.
 *
 * One interface reads all answers. With a second interface, the second of two pasted lines would be lost, and the
 * terminal would show it.
 *
 * @throws InterruptedError after Ctrl+C, and the reason of the signal if it aborts.
 * @throws CommandError if the input ends too early.
 */
export function askQuestions(
  { stdin, stderr, env }: CliProcess,
  questions: readonly Question[],
  signal: AbortSignal,
): Promise<string[]> {
  const answers: string[] = [];
  const isDumb = env.TERM === 'dumb';
  const isHidden = () => questions[answers.length]?.isHidden === true;
  const output = new EchoStream((text) => {
    if (!isHidden()) stderr.write(isDumb ? stripVTControlCharacters(text) : text);
  });
  return new Promise((resolve, reject) => {
    if (signal.aborted || questions.length === 0) {
      if (signal.aborted) reject(signal.reason);
      else resolve(answers);
      return;
    }
    const lines = createInterface({
      input: stdin,
      output,
      terminal: true,
      historySize: 0,
      crlfDelay: Number.POSITIVE_INFINITY,
    });
    const show = () => {
      const { text = '' } = questions[answers.length] ?? {};
      // The prompt is written again when the line is edited.
      lines.setPrompt(isHidden() ? '' : text);
      if (isHidden()) stderr.write(text);
      else lines.prompt();
    };
    const end = (settle: () => void) => {
      signal.removeEventListener('abort', abort);
      lines.removeAllListeners('close');
      lines.close();
      // A paused standard input would keep the process running.
      stdin.destroy();
      settle();
    };
    const endLine = (error: unknown) => {
      stderr.write('\n');
      end(() => reject(error));
    };
    const abort = () => endLine(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    lines.on('SIGINT', () => endLine(new InterruptedError('SIGINT')));
    lines.on('close', () => endLine(new CommandError(exitCodes.usage, endOfInput)));
    lines.on('line', (line) => {
      if (answers.length === questions.length) return;
      if (isHidden()) stderr.write('\n');
      if (questions[answers.length]?.accepts?.(line) === false) return show();
      answers.push(line);
      if (answers.length === questions.length) end(() => resolve(answers));
      else show();
    });
    show();
  });
}

/** Passes each text on at once: a queue could show a key after the question before it. */
class EchoStream extends Writable {
  readonly #echo: (text: string) => void;

  constructor(echo: (text: string) => void) {
    super();
    this.#echo = echo;
  }

  override write(text: string): boolean {
    this.#echo(text);
    return true;
  }
}

const endOfInput = 'Failed to read the answer: the input has ended. Run the command again, and type an answer.';
