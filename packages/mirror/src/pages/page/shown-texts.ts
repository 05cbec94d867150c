import { replaceControls } from '@memory-read/contract/redaction';
import type { IndexEntry } from '../index-data.ts';
import { element } from './elements.ts';

const LONGEST_IN_LIST = 300;

/** Returns the name of a memory as the page shows it. */
export function nameOf([, name]: IndexEntry): string {
  return replaceControls(name).trim() || 'Untitled';
}

/** Returns an element with a text of a row. Browsers need seconds for the layout of millions of characters. */
export function shortText(tag: string, attributes: Record<string, string>, text: string): HTMLElement {
  const isLong = text.length > LONGEST_IN_LIST;
  const short = isLong ? `${text.slice(0, LONGEST_IN_LIST).replace(/\p{Cs}$/u, '')} …` : text;
  return element(tag, { dir: 'auto', ...attributes }, short);
}

/** Returns an element with the name of a speaker and the label as its tooltip; without a name, with the label. */
export function speakerName(
  tag: string,
  attributes: Record<string, string>,
  label: string,
  person: string | null | undefined,
): HTMLElement {
  const shown = replaceControls(person ?? label).trim() || 'Unknown speaker';
  return shortText(tag, { ...attributes, ...(person && { title: replaceControls(label) }) }, shown);
}

/** Returns the state of a memory if it is not a usual one. */
export function stateLabel([, , , , , state]: IndexEntry): Node[] {
  return state === '' ? [] : [element('span', { class: 'state' }, state)];
}

/** Returns the heading of a view whose title is visible elsewhere. */
export function hiddenHeading(text: string): HTMLElement {
  return element('h1', { class: 'unseen' }, text);
}

/** Returns `m:ss`, and `h:mm:ss` from one hour on. */
export function clock(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  const digits = (value: number) => String(value).padStart(2, '0');
  const minutes = `${Math.floor(seconds / 60) % 60}`;
  return seconds < 3600
    ? `${minutes}:${digits(seconds % 60)}`
    : `${Math.floor(seconds / 3600)}:${minutes.padStart(2, '0')}:${digits(seconds % 60)}`;
}

/** Returns a day as the language of the browser spells it. */
export function spellDay(date: string): string {
  const day = new Date(`${date}T12:00:00Z`);
  if (Number.isNaN(day.getTime())) return date;
  return day.toLocaleDateString(undefined, { dateStyle: 'full', timeZone: 'UTC' });
}
