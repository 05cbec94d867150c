/** Maximum characters of JSON in a response: some 2,000 tokens in English, more in most languages. */
export const PAGE_SIZE = 8_000;

/** Returns as many items as fit on a page, and at least one. */
export function takePage<Item>(items: Iterable<Item>, size = PAGE_SIZE): Item[] {
  const page: Item[] = [];
  let used = 0;
  for (const item of items) {
    used += JSON.stringify(item).length + 1;
    if (used > size && page.length > 0) break;
    page.push(item);
  }
  return page;
}
