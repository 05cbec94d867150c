import type { OperationObject, ParameterObject } from '@memory-read/contract/openapi';
import { html, type Markup } from './html.ts';

/**
 * Renders a form that sends the request of an operation. It is hidden until the script runs, and cannot be submitted
 * without it.
 */
export function tryItForm(path: string, { operationId: id, parameters = [] }: OperationObject): Markup {
  return html`
      <noscript><p>Sending requests from this page needs JavaScript; the call above works without.</p></noscript>
      <form class="try-it" data-path="${path}" aria-label="Try ${id}" autocomplete="off" hidden>
        <label for="${id}-key">API key</label>
        <input id="${id}-key" type="password" autocomplete="off" spellcheck="false" aria-describedby="${id}-key-hint" pattern="\\s*[!-~]*\\s*" title="Letters, digits and signs of ASCII">
        <p class="hint" id="${id}-key-hint">Sent to this server only. Forgotten when the page is left or reloaded.</p>
        ${parameters.map((parameter) => parameterField(id, parameter))}
        <button type="submit">Send</button>
        <p class="try-status" role="status" aria-live="polite"></p>
        <div class="try-result"></div>
      </form>`;
}

/** URL parsers resolve `.` and `..`, which would change the path of the request. */
function parameterField(operationId: string, { name, required }: ParameterObject): Markup {
  const id = `${operationId}-${name}`;
  return html`
        <label for="${id}"><code>${name}</code></label>
        <input id="${id}" type="text" data-parameter="${name}" autocomplete="off" autocapitalize="none" spellcheck="false" pattern="(?!\\.\\.?$).*" title="Anything but . and .."${required && html` required`}>`;
}
