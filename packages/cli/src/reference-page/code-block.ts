import { escapeHtml, html, type Markup } from './html.ts';

/** Renders code. A wide one scrolls, so it must be reachable by keyboard. */
export function codeBlock(label: string, code: string | Markup): Markup {
  return html`<pre tabindex="0" role="group" aria-label="${label}"><code>${code}</code></pre>`;
}

/** Renders a JSON value, indented and coloured. */
export function jsonBlock(label: string, value: unknown): Markup {
  return codeBlock(label, { markup: colourJson(JSON.stringify(value, null, 2)) });
}

const token = /("(?:\\.|[^"\\])*")(:)?|\b(?:true|false|null)\b|-?\d[\d.eE+-]*/g;

function colourJson(json: string): string {
  let markup = '';
  let end = 0;
  for (const match of json.matchAll(token)) {
    const [text, string, colon = ''] = match;
    markup += escapeHtml(json.slice(end, match.index));
    markup += `<span class="${kindOf(string, colon)}">${escapeHtml(string ?? text)}</span>${colon}`;
    end = match.index + text.length;
  }
  return markup + escapeHtml(json.slice(end));
}

function kindOf(string: string | undefined, colon: string): string {
  if (colon) return 'json-key';
  return string ? 'json-string' : 'json-value';
}
