import type { OperationObject, ParameterObject, ResponseObject } from '@memory-read/contract/openapi';
import { jsonBlock } from './code-block.ts';
import { html, inlineText, type Markup } from './html.ts';
import { type OperationEntry, requestSamples } from './request-samples.ts';
import { typeOf } from './schema-section.ts';

/** Renders one operation: its parameters and a form to call it, beside its request and its responses. */
export function operationSection(entry: OperationEntry): Markup {
  const { operationId: id, summary, description, parameters = [], responses } = entry.operation;
  return html`
    <section class="operation" aria-labelledby="${id}">
      <div>
        <h3 id="${id}">${summary}</h3>
        <p class="endpoint"><span class="method">GET</span> <code>${entry.path}</code></p>
        <p>${inlineText(description)}</p>
        ${parameters.length > 0 && html`<h4>Parameters</h4><dl>${parameters.map(parameterEntry)}</dl>`}
        <h4>Try it</h4>
        ${tryItForm(entry.path, entry.operation)}
      </div>
      <div>
        ${requestSamples(entry)}
        <h4>Responses</h4>
        ${Object.entries(responses).map(([status, response]) => responseEntry(id, status, response))}
      </div>
    </section>`;
}

function parameterEntry({ name, description, schema, required }: ParameterObject): Markup {
  return html`
    <dt><code>${name}</code> <span class="type">${typeOf(schema)}, in the path${required && ', required'}</span></dt>
    <dd>${inlineText(description)}</dd>`;
}

function responseEntry(operationId: string, status: string, { description, headers, content }: ResponseObject): Markup {
  const { schema, examples } = content['application/json'];
  return html`
    <details${status === '200' && html` open`}>
      <summary><span class="status status-${status.charAt(0)}">${status}</span> ${inlineText(description)}</summary>
      <p>JSON: ${typeOf(schema)}. Headers: ${listOf(Object.keys(headers))}.</p>
      ${Object.values(examples).map(
        ({ summary, value }) => html`
          <figure>
            <figcaption>${summary}</figcaption>
            ${jsonBlock(`Response ${status} of ${operationId}: ${summary}`, value)}
          </figure>`,
      )}
    </details>`;
}

function listOf(names: readonly string[]): Markup[] {
  return names.map((name, index) => html`${index > 0 && ', '}<code>${name}</code>`);
}

/**
 * Renders a form that sends the request of an operation. It is hidden until the script runs, and cannot be submitted
 * without it.
 */
function tryItForm(path: string, { operationId: id, parameters = [] }: OperationObject): Markup {
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
