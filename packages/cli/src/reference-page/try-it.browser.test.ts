import { expect, test, vi } from 'vitest';
import { answer } from './try-it.browser.ts';

/** As much of an element as an answer needs. */
class FakeElement {
  readonly parts: unknown[] = [];

  append(...parts: unknown[]): void {
    this.parts.push(...parts);
  }

  addEventListener(): void {}

  get text(): string {
    return this.parts.map((part) => (part instanceof FakeElement ? part.text : part)).join('');
  }
}

test.each([
  ['a list of many memories', Array.from({ length: 150_000 }, (_, index) => ({ id: `mem_${index}` }))],
  [
    'a transcript of many segments',
    { transcript: { segments: Array.from({ length: 50_000 }, () => ({ text: 'a' })) } },
  ],
])('shows %s, however many elements that needs', (_, body) => {
  vi.stubGlobal('document', { createElement: () => new FakeElement() });
  const shown = answer(new Response(), JSON.stringify(body)) as unknown as FakeElement[];
  vi.unstubAllGlobals();
  expect(shown.at(-1)?.text).toBe(JSON.stringify(body, null, 2));
});
