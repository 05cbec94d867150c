import type { SchemaObject } from '@memory-read/contract/openapi';
import { html, inlineText, type Markup } from './html.ts';

/** Renders an object of the API, field by field. */
export function schemaSection(name: string, schema: SchemaObject): Markup {
  const { description, required = [], properties = {} } = schema;
  const fields = Object.entries(properties);
  return html`
    <section aria-labelledby="schema-${name}">
      <h3 id="schema-${name}">${name}</h3>
      ${description !== undefined && html`<p>${inlineText(description)}</p>`}
      ${
        fields.length === 0
          ? html`<p class="type">${typeOf(schema)}</p>`
          : html`<dl>${fields.map(([field, property]) => fieldEntry(field, property, required.includes(field)))}</dl>`
      }
    </section>`;
}

export function typeOf({ $ref, type, format, items }: SchemaObject): Markup {
  const types = [type ?? []].flat();
  const orNull = types.includes('null') ? ' or null' : '';
  if ($ref !== undefined) return html`${schemaLink($ref)}${orNull}`;
  const words = types.filter((name) => name !== 'null').join(' or ');
  if (items !== undefined) return html`array of ${typeOf(items)}${orNull}`;
  return html`${format === undefined ? words : `${words} (${format})`}${orNull}`;
}

function fieldEntry(field: string, property: SchemaObject, isRequired: boolean): Markup {
  return html`
    <dt><code>${field}</code> <span class="type">${typeOf(property)}</span>${!isRequired && html` <span class="type">optional</span>`}</dt>
    <dd>${inlineText(property.description ?? '')}</dd>`;
}

function schemaLink(reference: string): Markup {
  const name = reference.slice(reference.lastIndexOf('/') + 1);
  return html`<a href="#schema-${name}">${name}</a>`;
}
