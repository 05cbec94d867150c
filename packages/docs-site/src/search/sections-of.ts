import { type HTMLElement, parse } from 'node-html-parser';

/** A part of a page that the search finds: what stands below one heading. */
export interface Section {
  /** Its heading; in the API reference, the name. */
  title: string;
  /** The title of its page. */
  page: string;
  /** Path of the page below the site, with the anchor of the heading. */
  url: string;
  text: string;
  /** Factor of the score: guides come before decisions and internals. */
  boost: number;
}

/** Returns the sections of a built page. In the API reference, the section of a member has the name of its type before its own. */
export function sectionsOf(path: string, html: string, boost: number): Section[] {
  const content = parse(html, { blockTextElements: { script: true, style: true } }).querySelector('article');
  if (!content) return [];
  for (const element of content.querySelectorAll('button, .tsd-anchor-icon, .kind, .tsd-sources, svg'))
    element.remove();
  const heading = content.querySelector('h1');
  const title = textOf(heading ?? content);
  heading?.remove();
  const sections: Section[] = [{ title, page: title, url: path, text: '', boost }];
  const visit = (element: HTMLElement): void => {
    if (/^H[23]$/.test(element.tagName ?? '') && element.id !== '') {
      const isMember = element.closest('.tsd-member') !== null;
      const name = isMember ? `${title}.${textOf(element)}` : textOf(element);
      return void sections.push({ title: name, page: title, url: `${path}#${element.id}`, text: '', boost });
    }
    const isText =
      /^(?:P|LI|TD|TH|PRE|H[2-6])$/.test(element.tagName ?? '') && !element.querySelector('p, li, td, h3, section');
    const last = sections.at(-1);
    if (isText && last) last.text += `${textOf(element)}\n`;
    else for (const child of element.children) visit(child);
  };
  visit(content);
  return sections.filter(({ text, title: name }) => text !== '' || name !== '');
}

function textOf(element: HTMLElement): string {
  return element.textContent.replaceAll(/\s+/g, ' ').trim();
}
