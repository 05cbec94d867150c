import type { OutputOptions } from '../terminal/output-options.ts';

/** A memory that a text can stand for. */
export interface Candidate {
  id: string;
  name: string;
  startedAt: string;
  /** What differs from the others, such as the words that were found. */
  place: string;
}

const mostChoices = 20;
const narrowTerminal = 60;

/** Returns whether the user can be asked. */
export function canChoose({ process, quiet }: OutputOptions): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true && quiet !== true;
}

/**
 * Lists the candidates on standard error, and reads the number of one from the terminal.
 *
 * @throws InterruptedError after Ctrl+C.
 */
export async function chooseMemory(
  title: string,
  candidates: readonly Candidate[],
  { process, signal }: OutputOptions & { signal: AbortSignal },
): Promise<Candidate> {
  const { formatDateTime } = await import('../terminal/format-date-time.ts');
  const { tableLines } = await import('../terminal/format-table.ts');
  const { askQuestions } = await import('../terminal/ask-questions.ts');
  const shown = candidates.slice(0, mostChoices);
  const { columns = Number.POSITIVE_INFINITY } = process.stderr;
  const rows = shown.map(({ name, startedAt, place }, index) => [
    ...[String(index + 1).padStart(String(shown.length).length + 2), formatDateTime(startedAt), name],
    ...(columns < narrowTerminal ? [] : [place]),
  ]);
  const cut = shown.length < candidates.length ? `, of which these are the first ${shown.length}` : '';
  const lines = [`${title}${cut}:`, ...tableLines(rows, columns)];
  process.stderr.write(`${lines.join('\n')}\n`);
  const accepts = (answer: string) => shown[Number(answer) - 1] !== undefined;
  const text = `Which one? [1-${shown.length}] `;
  const [answer] = await askQuestions(process, [{ text, accepts }], signal);
  return shown[Number(answer) - 1] as Candidate;
}
