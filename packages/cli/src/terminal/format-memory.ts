import type { Memory } from '@memory-read/client';
import { turns } from '@memory-read/client/transcript';
import { mediaKinds } from '@memory-read/contract/fields';
import type { CliProcess } from './cli-process.ts';
import { formatDateTime, formatLength } from './format-date-time.ts';
import { style } from './style.ts';
import { terminalWidth } from './terminal-width.ts';
import { visibleLine, visibleText } from './visible-text.ts';
import { wrapText } from './wrap-text.ts';

const longestLine = 100;

/** Formats a memory for a terminal: its fields, its summary and its transcript. */
export function formatMemory(process: CliProcess, memory: Memory): string {
  const width = Math.min(terminalWidth(process), longestLine);
  const sections = [head(process, memory), summary(process, memory, width), transcript(process, memory, width)];
  return sections.filter((lines) => lines.length > 0).join('\n\n');
}

function head(process: CliProcess, memory: Memory): string {
  const { id, name, started_at, duration_seconds, is_processing } = memory;
  const media = mediaKinds.filter((kind) => memory[`${kind}_url`] !== null).map((kind) => kind.replaceAll('_', ' '));
  const rows = [
    ['ID', id],
    ['Started', formatDateTime(started_at)],
    ['Length', formatLength(duration_seconds)],
    ...(is_processing ? [['Status', 'processing']] : []),
    ['Media', media.join(', ') || 'none'],
  ];
  const lines = rows.map(([label = '', value = '']) => `${label.padEnd(9)}${visibleLine(value)}`);
  return [style(process, 'bold', visibleLine(name)), ...lines].join('\n');
}

function summary(process: CliProcess, { summary: found }: Memory, width: number): string {
  if (found === null) return '';
  const takeaways = found.key_takeaways.flatMap((takeaway) => indented('- ', takeaway, width));
  return [style(process, 'bold', 'Summary'), ...indented('', found.quick_summary, width), ...takeaways].join('\n');
}

function transcript(process: CliProcess, memory: Memory, width: number): string {
  const spoken = turns(memory).flatMap(({ speaker, start, text }) => [
    style(process, 'cyan', `${formatLength(Math.floor(start / 1000))}  ${visibleLine(speaker)}`),
    ...indented('  ', text, width),
  ]);
  return spoken.length === 0 ? '' : [style(process, 'bold', 'Transcript'), ...spoken].join('\n');
}

/** Wraps a text after a mark, and indents the other lines. */
function indented(mark: string, text: string, width: number): string[] {
  const lines = wrapText(visibleText(text), width - mark.length);
  return lines.map((line, index) => `${index === 0 ? mark : ' '.repeat(mark.length)}${line}`);
}
