import type { OperationObject, ParameterObject } from '@memory-read/contract/openapi';
import { codeBlock } from './code-block.ts';
import { html, type Markup } from './html.ts';

/** An operation with its path and server. */
export interface OperationEntry {
  serverUrl: string;
  path: string;
  operation: OperationObject;
}

/** Renders the request of an operation in each language. Without `:has()`, a browser shows one below the other. */
export function requestSamples(entry: OperationEntry): Markup {
  const { operationId: id } = entry.operation;
  return html`
      <fieldset class="samples">
        <legend>Request</legend>
        <div class="languages">
          ${languages.map(({ value, name }, index) => html`<label><input type="radio" name="${id}-language" value="${value}"${index === 0 && html` checked`}>${name}</label>`)}
        </div>
        ${languages.map(({ value, name, render }) => html`<div data-language="${value}">${codeBlock(`Request of ${id} with ${name}`, render(entry))}</div>`)}
      </fieldset>`;
}

const languages = [
  { value: 'curl', name: 'curl', render: curl },
  { value: 'typescript', name: 'TypeScript', render: typeScript },
  { value: 'python', name: 'Python', render: python },
];

/** The key comes from the environment, in every language. */
function curl(entry: OperationEntry): string {
  return `curl --header "Authorization: Bearer $MEMORY_API_KEY" \\\n  '${urlOf(entry)}'`;
}

/** The client has a method for each operation. */
function typeScript({ serverUrl, operation: { operationId, parameters = [] } }: OperationEntry): string {
  const values = parameters.map(({ example }) => quoted(example)).join(', ');
  return `import { MemoryClient } from '@memory-read/client';

const client = new MemoryClient({
  baseUrl: ${quoted(serverUrl)},
  apiKey: process.env.MEMORY_API_KEY,
});
console.log(await client.${operationId}(${values}));`;
}

/** A header that is not redirected: otherwise urllib would send the key to another host. */
function python(entry: OperationEntry): string {
  return `import json, os
from urllib.request import Request, urlopen

request = Request("${urlOf(entry)}")
key = os.environ["MEMORY_API_KEY"]
request.add_unredirected_header("Authorization", f"Bearer {key}")
with urlopen(request) as response:
    print(json.load(response))`;
}

function urlOf({ serverUrl, path, operation: { parameters = [] } }: OperationEntry): string {
  return serverUrl + parameters.reduce(withExample, path);
}

function withExample(path: string, { name, example }: ParameterObject): string {
  return path.replace(`{${name}}`, encodeURIComponent(example));
}

function quoted(text: string): string {
  return `'${text}'`;
}
