/** HTML that needs no escaping. */
export interface Markup {
  readonly markup: string;
}

type Content = Markup | string | number | false | undefined | readonly Content[];

/** Template tag: escapes texts, inserts markup and lists of it, and omits `false` and `undefined`. */
export function html(strings: TemplateStringsArray, ...contents: readonly Content[]): Markup {
  const pieces = contents.map((content, index) => toMarkup(content) + strings[index + 1]);
  return { markup: strings[0] + pieces.join('') };
}

/** Escapes a description, and turns `backticks` into code elements. */
export function inlineText(text: string): Markup {
  const markup = escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>');
  return { markup };
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

function toMarkup(content: Content): string {
  if (content === false || content === undefined) return '';
  if (typeof content === 'object') return 'markup' in content ? content.markup : content.map(toMarkup).join('');
  return escapeHtml(String(content));
}
