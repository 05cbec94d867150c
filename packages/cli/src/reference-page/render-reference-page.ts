import type { OpenApiDocument, SecuritySchemeObject } from '@memory-read/contract/openapi';
import { html, inlineText, type Markup } from './html.ts';
import { operationSection } from './operation-section.ts';
import { pageIcon } from './page-icon.ts';
import { pageStyle } from './page-style.ts';
import type { OperationEntry } from './request-samples.ts';
import * as samples from './samples.browser.ts';
import { schemaSection } from './schema-section.ts';
import * as tryIt from './try-it.browser.ts';

/** A page, with the inline style and script that its content security policy must allow. */
export interface ReferencePage {
  html: string;
  style: string;
  script: string;
}

/** Renders the API reference as one HTML page with forms to call the API. It loads nothing from other hosts. */
export function renderReferencePage(document: OpenApiDocument): ReferencePage {
  const { info, components } = document;
  const serverUrl = document.servers[0]?.url ?? '';
  const operations = Object.entries(document.paths).map(([path, { get }]) => ({ serverUrl, path, operation: get }));
  const schemas = Object.entries(components.schemas);
  const page = html`<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <title>${info.title}</title>
  <link rel="icon" href="data:image/svg+xml,${encodeURIComponent(pageIcon)}">
  <style>${{ markup: pageStyle }}</style>
</head>
<body>
  <a class="skip" href="#content">Skip to the content</a>
  ${navigation(operations, Object.keys(components.schemas))}
  <main id="content">
    <header>
      <h1>${info.title} <span class="type">${info.version}</span></h1>
      <p>${inlineText(info.description)}</p>
    </header>
    ${gettingStarted(serverUrl, Object.values(components.securitySchemes))}
    <section aria-labelledby="operations">
      <h2 id="operations">Operations</h2>
      ${operations.map(operationSection)}
    </section>
    <section aria-labelledby="schemas">
      <h2 id="schemas">Schemas</h2>
      ${schemas.map(([name, schema]) => schemaSection(name, schema))}
    </section>
  </main>
  <script type="module">${{ markup: pageScript }}</script>
</body>
</html>
`;
  return { html: page.markup, style: pageStyle, script: pageScript };
}

function navigation(operations: readonly OperationEntry[], schemaNames: readonly string[]): Markup {
  return html`
  <nav aria-label="Contents">
    <ul>
      <li><a href="#start">Start</a></li>
      <li><a href="#operations">Operations</a>
        <ul>${operations.map(({ operation: { operationId } }) => html`<li><a href="#${operationId}">${operationId}</a></li>`)}</ul>
      </li>
      <li><a href="#schemas">Schemas</a>
        <ul>${schemaNames.map((name) => html`<li><a href="#schema-${name}">${name}</a></li>`)}</ul>
      </li>
    </ul>
  </nav>`;
}

function gettingStarted(serverUrl: string, schemes: readonly SecuritySchemeObject[]): Markup {
  return html`
    <section aria-labelledby="start">
      <h2 id="start">Getting started</h2>
      <p>Base URL: <code>${serverUrl}</code>. For tools: the <a href="${serverUrl}/openapi.json">OpenAPI document</a>.</p>
      <p>Every request carries an API key, in one of two headers. Keep it on servers: it reads everything of its account.</p>
      <dl>${schemes.map(schemeEntry)}</dl>
      <p>The requests below take the key from the environment variable <code>MEMORY_API_KEY</code>.</p>
    </section>`;
}

function schemeEntry(scheme: SecuritySchemeObject): Markup {
  const header = scheme.type === 'http' ? 'Authorization' : scheme.name;
  return html`
    <dt><code>${header}</code></dt>
    <dd>${inlineText(scheme.description)}</dd>`;
}

/** Script of the page: the functions as they run here, because a bundler may have renamed them, and two calls. */
const pageScript = [
  ...Object.values({ ...tryIt, ...samples }),
  `${tryIt.startTryIt.name}();`,
  `${samples.startSamples.name}();\n`,
].join('\n');
