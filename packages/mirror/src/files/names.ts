import { createHash } from 'node:crypto';
import type { MediaKind } from '@memory-read/client';
import { documentSuffixes } from '../documents/to-document.ts';

/** The template of a folder that names no other. */
export const defaultTemplate = '{date} {name} {id}';

/** Most bytes of the text of a template in a part of the path. */
const LONGEST_TEXT = 60;
/** Most bytes of a name. */
const LONGEST_NAME = 100;
/** Most bytes of a part. With an update and a suffix it has 143, which encrypted home folders accept. */
const LONGEST_PART = 118;
const digestLengths = [4, 8, 12, 24, 64];

/** Values of a memory. */
interface Values {
  id: string;
  name: string;
  date: string;
  time: string;
  digits: string;
}

const fields: Record<string, (values: Values) => string> = {
  date: ({ date }) => date,
  time: ({ time }) => time.slice(0, 'HH:mm'.length).replace(':', '.'),
  year: ({ date }) => date.split('-')[0] as string,
  month: ({ date }) => date.split('-')[1] as string,
  day: ({ date }) => date.split('-')[2] as string,
  name: ({ name }) => name,
  id: ({ digits }) => digits,
  memory_id: ({ id }) => (/^[\w-]{1,40}$/.test(id) ? id : digestOf(id).slice(0, 8)),
};

/** A text of the template, or a field of it. */
type Piece = { text: string } | { field: string };

/** A checked template: the pieces of each part of the path. */
export type Template = readonly (readonly Piece[])[];

/** Why a text is not a template, and what to do, as parts of a message. */
export interface TemplateProblem {
  problem: string;
  advice: string;
}

/** Returns the template of a text, or what is wrong with it. */
export function parseTemplate(text: string): Template | TemplateProblem {
  const parts = text.normalize('NFC').split('/');
  for (const part of parts) {
    const found = problemOf(part);
    if (found !== undefined) return found;
  }
  if (!/\{/.test(parts.at(-1) as string)) {
    return { problem: 'its last part has no field', advice: 'Add one, such as {name}' };
  }
  return parts.map((part) =>
    part
      .split(/(\{\w+\})/)
      .filter(Boolean)
      .map((piece) => (piece.startsWith('{') ? { field: piece.slice(1, -1) } : { text: piece })),
  );
}

function problemOf(part: string): TemplateProblem | undefined {
  const text = part.replace(/\{[^{}]*\}/g, '');
  const known = Object.keys(fields).map((field) => `{${field}}`);
  if (part === '') return { problem: 'a part of it is empty', advice: 'Remove a /, or put a name between' };
  if (/[\\<>:"|?*]/.test(part) || hidden.test(part)) {
    const problem = 'it has a character that file names cannot have on every system';
    return { problem, advice: 'Leave out \\ < > : " | ? * and controls' };
  }
  if (/[{}]/.test(text))
    return { problem: 'it has a lone brace', advice: 'Write a field as {name}, or remove the brace' };
  const unknown = part.match(/\{[^{}]*\}/g)?.find((field) => !known.includes(field));
  if (unknown !== undefined) {
    const advice = `Use ${known.slice(0, -1).join(', ')} or ${known.at(-1)}`;
    return { problem: `${unknown} is not a field`, advice };
  }
  if (/^[.~-]|[. ]$/.test(part)) {
    return {
      problem: 'a part of it begins with ., ~ or -, or ends with . or a space',
      advice: 'Remove this character',
    };
  }
  if (Buffer.byteLength(text) > LONGEST_TEXT) {
    const problem = `a part of it has more than ${LONGEST_TEXT} bytes of text`;
    return { problem, advice: 'Pass a shorter template' };
  }
  return undefined;
}

/**
 * Returns the path of a memory's files without a suffix, such as `2026-11-19 Appointment with Dr. Ito f5c8`.
 *
 * `wanted` is what the template gives. `stem` is the first path that is not taken: it has more digits of the SHA-256 of
 * the id.
 */
export function nameStem(
  template: Template,
  memory: { id: string; name: string },
  local: { date: string; time: string },
  isTaken: (stem: string) => boolean = () => false,
): { wanted: string; stem: string } {
  const digest = digestOf(memory.id);
  const stemWith = (length: number, end = '') => {
    const values = { ...memory, ...local, digits: digest.slice(0, length) };
    return template.map((part, index) => partOf(part, values, index === template.length - 1 ? end : '')).join('/');
  };
  const wanted = stemWith(4);
  if (!isTaken(wanted)) return { wanted, stem: wanted };
  const hasDigits = template.flat().some((piece) => 'field' in piece && piece.field === 'id');
  const stems = [
    ...(hasDigits ? digestLengths.map((length) => stemWith(length)) : []),
    ...digestLengths.map((length) => stemWith(4, ` ${digest.slice(0, length)}`)),
  ];
  return { wanted, stem: stems.find((stem) => !isTaken(stem)) ?? digest };
}

/** Returns the paths that the page of a person can have: the second one if another person has the first one. */
export function personStems({ name, folded }: { name: string; folded: string }): [plain: string, withDigits: string] {
  const stemWith = (end: string) =>
    `pages/people/${partOf([{ field: 'name' }], { id: '', name, date: '', time: '', digits: '' }, end)}`;
  return [stemWith(''), stemWith(` ${digestOf(folded).slice(0, 8)}`)];
}

/** Returns a part of the path. A name in it is cut, so that the part has its digits in any case. */
function partOf(pieces: readonly Piece[], values: Values, end: string): string {
  const textOf = (name: string) =>
    pieces.map((piece) => ('text' in piece ? piece.text : fields[piece.field]?.({ ...values, name }))).join('');
  const longest = LONGEST_PART - end.length;
  const names = pieces.filter((piece) => 'field' in piece && piece.field === 'name').length;
  const share = Math.floor((longest - Buffer.byteLength(textOf(''))) / names);
  const part = textOf(cleanName(values.name, Math.min(LONGEST_NAME, share)));
  return `${withoutEnd(cutToBytes(isUnsafe(part) ? `_${part}` : part, longest))}${end}`;
}

/**
 * Returns whether Windows treats the part as a device, whatever its suffix is, a program as an option, or an export as a
 * folder of something else.
 */
function isUnsafe(part: string): boolean {
  return /^-|^(con|prn|aux|nul|com\d|lpt\d|com[¹²³]|lpt[¹²³]|conin\$|conout\$|memory-read|mirror\.sqlite)\s*(\.|$)/i.test(
    part,
  );
}

/**
 * Returns the stem as file systems compare it that ignore case, normalization or invisible characters, such as HFS+.
 * Upper case comes first, because σ and ς have one, and so do ß and SS.
 */
export function stemKey(stem: string): string {
  return stem
    .normalize('NFKD')
    .replace(/\p{DI}/gu, '')
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKC');
}

const labels: Record<MediaKind, string> = { audio: 'audio', video: 'video', preview_image: 'preview' };

/**
 * Returns what follows the stem in the names of media files. Players look for subtitles beside a file of the same stem, so
 * that only a suffix that is taken gets a label.
 */
export function fileSuffixes(files: { readonly [Kind in MediaKind]?: string | undefined }): {
  [Kind in MediaKind]?: string;
} {
  const taken = new Set<string>(Object.values(documentSuffixes));
  const suffixes: { [Kind in MediaKind]?: string } = {};
  for (const kind of ['video', 'audio', 'preview_image'] satisfies MediaKind[]) {
    const suffix = files[kind];
    if (suffix === undefined) continue;
    suffixes[kind] = taken.has(suffix) ? `.${labels[kind]}${suffix}` : suffix;
    taken.add(suffix);
  }
  return suffixes;
}

/** Characters of a name that cannot be seen, except joiners and marks of direction: letters that need them read differently
 * without them, and every file system accepts them. */
const hidden = /(?![\u200c-\u200f\u061c])[\p{C}\p{Zl}\p{Zp}]/u;

/** Removes characters that are special in a file system, a terminal or a link of Obsidian. Emoji are kept. */
function cleanName(name: string, longest: number): string {
  const plain = name
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Zs}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/:(?= )/g, ' -')
    .replace(/[/\\<>:"|?*#^[\]]/g, '-')
    .replace(new RegExp(hidden, 'gu'), '')
    .replace(/^[\s.~-]+/, '');
  return withoutEnd(cutToBytes(plain, longest)).replace(/^[\s\p{DI}]+$/u, '') || 'Untitled';
}

function withoutEnd(text: string): string {
  return text.replace(/[\s.]+$/, '');
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

function cutToBytes(text: string, longest: number): string {
  if (Buffer.byteLength(text) <= longest) return text;
  let bytes = 0;
  let end = 0;
  for (const { segment } of graphemes.segment(text.slice(0, longest + 1))) {
    bytes += Buffer.byteLength(segment);
    if (bytes > longest) break;
    end += segment.length;
  }
  return text.slice(0, end);
}

function digestOf(id: string): string {
  return createHash('sha256').update(id).digest('hex');
}
