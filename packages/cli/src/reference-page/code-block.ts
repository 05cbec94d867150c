import { html, type Markup } from './html.ts';
import { jsonParts } from './try-it.browser.ts';

/** Renders code. A wide one scrolls, so it must be reachable by keyboard. */
export function codeBlock(label: string, code: string | Markup): Markup {
  return html`<pre tabindex="0" role="group" aria-label="${label}"><code>${code}</code></pre>`;
}

/** Renders a JSON value, indented and coloured. */
export function jsonBlock(label: string, value: unknown): Markup {
  const parts = jsonParts(JSON.stringify(value, null, 2)).map(({ text, className }) =>
    className ? html`<span class="${className}">${text}</span>` : text,
  );
  return codeBlock(label, html`${parts}`);
}
