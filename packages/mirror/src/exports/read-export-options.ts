import type { MediaKind } from '@memory-read/client';
import type { TimeRange } from '@memory-read/client/search';
import { systemTimeZone } from '@memory-read/contract/date-time';
import { type ExportFormat, exportFormats } from '../documents/to-document.ts';
import { readTemplate } from '../files/name-files.ts';
import { defaultTemplate } from '../files/names.ts';
import {
  checkOptions,
  checkText,
  invalidOption,
  readCallback,
  readFlag,
  readKinds,
  readRange,
  readSignal,
  readTimeZone,
} from '../options/check-options.ts';
import type { ExportFilesOptions, ExportProgress } from './export-types.ts';

/** Options of an export with their defaults. */
export interface ExportSettings {
  formats: readonly ExportFormat[];
  kinds: readonly MediaKind[];
  /** Options that the folder keeps. */
  given: { name?: string; timeZone?: string };
  /** What a new folder gets. */
  name: string;
  timeZone: string;
  copy: boolean;
  adopt: boolean;
  dryRun: boolean;
  /** Returns the range. Texts without an offset are in the time zone. */
  rangeIn(timeZone: string): TimeRange;
  emit(event: ExportProgress): void;
  signal: AbortSignal | undefined;
}

const action = 'export the files';
const names: readonly (keyof ExportFilesOptions)[] = [
  'formats',
  'media',
  'name',
  'since',
  'until',
  'timeZone',
  'copy',
  'adopt',
  'dryRun',
  'onProgress',
  'signal',
];

/** @throws {@link MirrorError} with the code `invalid_option`. */
export function readExportOptions(folder: unknown, options: ExportFilesOptions): ExportSettings {
  checkText(action, 'folder', folder);
  if (folder === '' || folder.includes('\0')) {
    throw invalidOption(action, 'folder is empty or contains a NUL character', 'Pass the path of a folder');
  }
  checkOptions(action, options, names);
  const { since, until } = options;
  const formats = readFormats(options.formats);
  const kinds = readKinds(action, options.media);
  if (formats.length + kinds.length === 0) {
    throw invalidOption(action, 'there is nothing to write', 'Pass formats, media or both');
  }
  if (options.name !== undefined) readTemplate(options.name);
  const timeZone = readTimeZone(action, options.timeZone);
  const rangeIn = (timeZone: string) => readRange(action, { since, until, timeZone });
  rangeIn('UTC');
  return {
    formats,
    kinds,
    given: {
      ...(options.name !== undefined && { name: options.name }),
      ...(timeZone !== undefined && { timeZone }),
    },
    name: defaultTemplate,
    timeZone: systemTimeZone(),
    copy: readFlag(action, 'copy', options.copy),
    adopt: readFlag(action, 'adopt', options.adopt),
    dryRun: readFlag(action, 'dryRun', options.dryRun),
    rangeIn,
    emit: readCallback(action, 'onProgress', options.onProgress),
    signal: readSignal(action, options.signal),
  };
}

function readFormats(formats: unknown = []): readonly ExportFormat[] {
  if (Array.isArray(formats) && formats.every((format) => exportFormats.includes(format))) {
    return [...new Set<ExportFormat>(formats)];
  }
  throw invalidOption(action, 'formats is not supported', `Use some of ${exportFormats.join(', ')}`);
}
