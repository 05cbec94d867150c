/** Returns the results of `format`, each computed when it is read. They can be read again. */
export function mapLazily<Item>(items: Iterable<Item>, format: (item: Item) => string): Iterable<string> {
  return {
    *[Symbol.iterator]() {
      for (const item of items) yield format(item);
    },
  };
}
