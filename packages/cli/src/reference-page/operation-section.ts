import type { ParameterObject, ResponseObject } from '@memory-read/contract/openapi';
import { jsonBlock } from './code-block.ts';
import { html, inlineText, type Markup } from './html.ts';
import { type OperationEntry, requestSamples } from './request-samples.ts';
import { typeOf } from './schema-section.ts';
import { tryItForm } from './try-it-form.ts';

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
