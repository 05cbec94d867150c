import type { MediaKind, Memory } from '@memory-read/client';
import { parseDateTime, systemTimeZone } from '@memory-read/contract/date-time';
import { documentSuffixes, type ExportFormat } from '../documents/to-document.ts';
import { checkOptions, checkText, invalidOption, readTimeZone } from '../options/check-options.ts';
import { localTimeIn } from '../pages/local-time.ts';
import { defaultTemplate, fileSuffixes, nameStem, parseTemplate, type Template } from './names.ts';

/** What a file of an export holds: a document in a format, or one of the media. */
export type ExportPart = ExportFormat | MediaKind;

/** Options of `fileNames`. */
export interface FileNamesOptions {
  /** Template of the names. Default: `{date} {name} {id}`. */
  name?: string | undefined;
  /** IANA time zone of dates and times in the names. Default: that of the system. */
  timeZone?: string | undefined;
  /** Suffixes of the media that the memory has, such as `.wav`. Default: none. */
  media?: { readonly [Kind in MediaKind]?: string | undefined } | undefined;
}

/**
 * Returns the names that `exportFiles` gives the files of a memory in an empty folder. A name of a template with `/` has
 * folders.
 *
 * @example
 * ```ts
 * const { srt, video } = fileNames(memory, { timeZone: 'UTC', media: { video: '.mp4' } });
 * console.log(srt, video);
 * console.log(toDocument(memory, 'srt') ?? 'There is no transcript yet.');
 * ```
 *
 * @throws {@link MirrorError} with the code `invalid_option` for a text that is not a template.
 */
export function fileNames(
  memory: Pick<Memory, 'id' | 'name' | 'started_at'>,
  options: FileNamesOptions = {},
): Record<ExportFormat, string> & { [Kind in MediaKind]?: string } {
  checkOptions('name the files', options, ['name', 'timeZone', 'media']);
  const timeZone = readTimeZone('name the files', options.timeZone) ?? systemTimeZone();
  const template = readTemplate(options.name ?? defaultTemplate);
  const { stem } = nameStem(template, memory, localTimeIn(timeZone)(parseDateTime(memory.started_at) ?? 0));
  const suffixes = { ...documentSuffixes, ...fileSuffixes(options.media ?? {}) };
  return Object.fromEntries(Object.entries(suffixes).map(([part, suffix]) => [part, `${stem}${suffix}`])) as ReturnType<
    typeof fileNames
  >;
}

/** Returns the template of an option. */
export function readTemplate(name: unknown): Template {
  checkText('read name', 'name', name);
  const template = parseTemplate(name);
  if ('problem' in template) throw invalidOption('read name', template.problem, template.advice);
  return template;
}
