import { replaceControls } from '@memory-read/contract/redaction';
import type { IndexDetail } from '../index-data.ts';
import { element, listOf } from './elements.ts';
import type { Memories } from './memories.ts';
import { clock, hiddenHeading, nameOf, speakerName, spellDay, stateLabel } from './shown-texts.ts';
import { addTranscript } from './transcript.ts';
import { pageTitle, type View } from './view.ts';

/** Shows a memory: its key, and the position in its recording and the segment that an address names. */
export async function showMemory(
  memories: Memories,
  view: View,
  [key = '', at, segment]: readonly (string | undefined)[],
): Promise<void> {
  const found = memories.find(key);
  if (found === undefined) {
    const text = 'This memory is not in the mirror. It may have been purged.';
    view.show(undefined, hiddenHeading(pageTitle), element('p', { class: 'empty' }, text));
    return;
  }
  const { entry, loadDetail } = found;
  const [, , date, time, seconds, , summary] = entry;
  const facts = `${spellDay(date)}, ${time.slice(0, 5)} · ${clock(seconds * 1000)}`;
  const article = element(
    'article',
    {},
    element('h1', { dir: 'auto' }, nameOf(entry)),
    element('p', { class: 'facts' }, facts, ...stateLabel(entry)),
  );
  const back = element('p', { class: 'back' }, element('a', { href: '#/' }, 'All memories'));
  const isShown = view.show(nameOf(entry), back, article);
  const detail = await loadDetail();
  if (!isShown()) return;
  article.append(...peopleOf(detail));
  const player = addPlayer(article, detail);
  if (summary !== '') article.append(element('p', { class: 'lead', dir: 'auto' }, replaceControls(summary)));
  if (detail.takeaways.length > 0) {
    const toItem = (takeaway: string) => element('li', { dir: 'auto' }, replaceControls(takeaway));
    article.append(element('h2', {}, 'Key takeaways'), listOf('ul', {}, detail.takeaways, toItem));
  }
  addTranscript(article, detail, player)(Number(at), Number(segment));
}

/** Returns a line with the people of a memory. */
function peopleOf({ names = [] }: IndexDetail): HTMLElement[] {
  const labels = new Map(names.map(([label, person]) => [person, label]));
  const people = [...labels].flatMap(([person, label]) => [', ', speakerName('span', {}, label, person)]);
  return people.length === 0 ? [] : [element('p', { class: 'facts' }, 'With ', ...people.slice(1))];
}

function addPlayer(article: HTMLElement, { media }: IndexDetail): HTMLMediaElement | undefined {
  const path = media.video ?? media.audio;
  if (path === undefined) {
    if (media.preview_image !== undefined) article.append(element('img', { src: media.preview_image, alt: '' }));
    return undefined;
  }
  const player = element(media.video === undefined ? 'audio' : 'video', {
    src: path,
    controls: '',
    preload: 'metadata',
    ...(media.preview_image !== undefined && { poster: media.preview_image }),
  });
  article.append(player);
  return player as HTMLMediaElement;
}
