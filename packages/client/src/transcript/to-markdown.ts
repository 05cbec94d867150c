import { formatClock } from './format-time.ts';
import type { TranscriptTextOptions } from './transcript-options.ts';
import type { TranscriptSource } from './transcript-source.ts';
import { type Turn, turns } from './turns.ts';
import { visibleText } from './visible-lines.ts';

/** Characters with a meaning anywhere in a line of Markdown or one of its dialects. */
const anywhere = /[\\`*_{}[\]<>#|~&$%=^@]|(?<=:):|(?<=\()\(|:(?=\/\/)|\/(?=\/)|(?<=www)\./gi;
/** Characters that begin a list, a rule or a definition at the start of a line. */
const atStart = /^[-+:]|(?<=^\d+)[.)]/;

/**
 * Returns the transcript as Markdown: one paragraph for each turn, such as `**Speaker 1:** …`.
 *
 * A null transcript becomes an empty text. All speech is escaped: no text can create a heading, a list, a link, a
 * table, HTML, a code block or front matter. It cannot create a tag, a field or a reference of Obsidian, Dataview or
 * Logseq either. Only a bare host name, such as `example.com`, is a link in a few renderers.
 * Control characters, embeddings, overrides and isolates become U+FFFD. See section 2.2 of the specification.
 *
 * @example
 * ```ts
 * console.log(toMarkdown(memory, { timestamps: true }));
 * ```
 */
export function toMarkdown(memory: TranscriptSource, options: TranscriptTextOptions = {}): string {
  return turns(memory)
    .map((turn) => `${paragraphOf(turn, options)}\n`)
    .join('\n');
}

function paragraphOf({ speaker, start, text }: Turn, options: TranscriptTextOptions): string {
  const { speakerLabels = true, timestamps = false } = options;
  const label = speakerLabels ? visibleText(speaker) : '';
  const parts = [
    timestamps && `\`${formatClock(start)}\``,
    // A colon at the end of the label and this one would make a property.
    label !== '' && `**${escapeMarkdown(`${label}:`)}**`,
    escapeMarkdown(text),
  ];
  return parts.filter(Boolean).join(' ');
}

function escapeMarkdown(text: string): string {
  return text.replace(anywhere, '\\$&').replace(atStart, '\\$&');
}
