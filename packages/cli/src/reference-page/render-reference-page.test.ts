import { Script } from 'node:vm';
import { buildOpenApiDocument } from '@memory-read/contract/openapi';
import { expect, test } from 'vitest';
import { renderReferencePage } from './render-reference-page.ts';
import * as samples from './samples.browser.ts';

const document = buildOpenApiDocument({ serverUrl: 'https://api.example.com/mount' });
const { html, script } = renderReferencePage(document);

test('shows every operation with every status and every example', () => {
  for (const [path, { get }] of Object.entries(document.paths)) {
    const section = sectionOf(get.operationId);
    expect(section).toContain(`<code>${path}</code>`);
    for (const [status, { content }] of Object.entries(get.responses)) {
      expect(section).toContain(`>${status}</span>`);
      for (const { summary } of Object.values(content['application/json'].examples)) expect(section).toContain(summary);
    }
    for (const { name } of get.parameters ?? []) expect(section).toContain(`<dt><code>${name}</code>`);
  }
});

test('shows every field of every schema with its type and its description', () => {
  for (const [name, { properties = {} }] of Object.entries(document.components.schemas)) {
    const section = sectionOf(`schema-${name}`);
    for (const [field, { description = '' }] of Object.entries(properties)) {
      expect(section).toContain(`<dt><code>${field}</code>`);
      expect(section).toContain(description.replaceAll('"', '&#34;').replaceAll("'", '&#39;'));
    }
  }
  expect(sectionOf('schema-Memory')).toContain('<a href="#schema-Transcript">Transcript</a> or null</span>');
  expect(sectionOf('schema-Memory')).toContain('string (date-time)</span>');
  expect(sectionOf('schema-Transcript')).toContain('array of <a href="#schema-Segment">Segment</a></span>');
  expect(sectionOf('schema-MemoryList')).toContain('array of <a href="#schema-ListedMemory">ListedMemory</a>');
});

test('every operation has its request in three languages, each at the address of the server', () => {
  for (const [path, { get }] of Object.entries(document.paths)) {
    const section = sectionOf(get.operationId);
    const languages = Array.from(section.matchAll(/ type="radio" name="([^"]+)" value="(\w+)"( checked)?/g));
    expect(languages.map(([, , language]) => language)).toEqual(['curl', 'typescript', 'python']);
    expect(languages.map(([, , , isChecked]) => isChecked !== undefined)).toEqual([true, false, false]);
    expect(new Set(languages.map(([, name]) => name)).size).toBe(1);
    const samples = Array.from(section.matchAll(/<div data-language="(\w+)"><pre[^>]*><code>(.*?)<\/code>/gs));
    expect(samples.map(([, language]) => language)).toEqual(languages.map(([, , language]) => language));
    for (const [, , code] of samples) {
      expect(code).toContain('https://api.example.com/mount');
      expect(code).not.toMatch(/[{}]memory_id|undefined/);
    }
    expect(samples[0]?.[2]).toContain(path.replace(/\{.*/, ''));
  }
});

test('names both headers that carry a key', () => {
  const section = sectionOf('start');
  for (const header of ['Authorization', 'X-API-Key']) expect(section).toContain(`<dt><code>${header}</code></dt>`);
});

test('every link within the page leads somewhere, and every id is its own', () => {
  const ids = Array.from(html.matchAll(/ id="([^"]+)"/g), ([, id]) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const [, target] of html.matchAll(/ href="#([^"]+)"/g)) expect(ids).toContain(target);
  for (const [, target] of html.matchAll(/ aria-labelledby="([^"]+)"/g)) expect(ids).toContain(target);
});

test('every element that is opened is closed in its order', () => {
  const open: string[] = [];
  for (const [, slash, name = ''] of html
    .replace(/<!doctype html>|<(meta|input|link)[^>]*>/g, '')
    .matchAll(/<(\/?)([a-z]\w*)/g)) {
    if (slash) expect(open.pop()).toBe(name);
    else open.push(name);
  }
  expect(open).toEqual([]);
});

test('headings follow one another without a gap', () => {
  const levels = Array.from(html.matchAll(/<h(\d)/g), ([, level]) => Number(level));
  expect(levels[0]).toBe(1);
  for (const [index, level] of levels.entries()) expect(level - (levels[index - 1] ?? 0)).toBeLessThanOrEqual(1);
});

test('what the document says is text, never markup', () => {
  const hostile = structuredClone(document);
  hostile.info.description = '<script>alert(`<b>`)</script>';
  expect(renderReferencePage(hostile).html).toContain('&#60;script&#62;alert(<code>&#60;b&#62;</code>)');
});

test('every operation has a form with a field for the key and one for each parameter, all with their labels', () => {
  for (const [path, { get }] of Object.entries(document.paths)) {
    const section = sectionOf(get.operationId);
    const [, attributes = '', form = ''] = /<form([^>]*)>(.*)<\/form>/s.exec(section) ?? [];
    expect(attributes).toContain(` data-path="${path}"`);
    expect(attributes).toContain(' hidden');
    expect(section).toContain('<noscript>');
    const fields = Array.from(form.matchAll(/<input id="([^"]+)" type="(\w+)"([^>]*)>/g));
    expect(fields.map(([, , type]) => type)).toEqual(['password', ...(get.parameters ?? []).map(() => 'text')]);
    for (const [, id, , rest] of fields) {
      expect(form).toContain(`<label for="${id}">`);
      expect(rest).toContain(' autocomplete="off"');
      expect(rest).not.toMatch(/ (name|value)=/);
    }
    for (const { name } of get.parameters ?? []) expect(form).toContain(` data-parameter="${name}"`);
  }
});

test('the script stands in the page as it is hashed, and ends where it should', () => {
  expect(html).toContain(`<script type="module">${script}</script>`);
  expect(script).not.toMatch(/<\/script|<!--|\bimport\b|__vite/);
  expect(() => new Script(script)).not.toThrow();
});

test('the script has no way to make HTML or code of a text, or to keep or print more than the chosen language', () => {
  expect(script).not.toMatch(
    /innerHTML|outerHTML|insertAdjacent|document\.write|\beval\b|Function\(|setAttribute|sessionStorage|cookie|indexedDB|console\./,
  );
  const languages = Object.values(samples).map(String);
  expect(languages.reduce((rest, text) => rest.replace(text, ''), script)).not.toContain('Storage');
  expect(languages.join('\n')).not.toMatch(/password|try-it|fetch/);
});

function sectionOf(id: string): string {
  const start = html.indexOf(` aria-labelledby="${id}">`);
  expect(start).toBeGreaterThan(-1);
  return html.slice(start, html.indexOf('</section>', start));
}
