type Child = Node | string;

/** Returns a new element. Texts become text nodes only. */
export function element(tag: string, attributes: Record<string, string> = {}, ...children: Child[]): HTMLElement {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/** Returns an element with a child for each item, however many these are. */
export function listOf<Item>(
  tag: string,
  attributes: Record<string, string>,
  items: Iterable<Item>,
  make: (item: Item) => Child,
): HTMLElement {
  const made = element(tag, attributes);
  for (const item of items) made.append(make(item));
  return made;
}

/** Returns the element of `index.html` with this id. */
export function byId(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`Failed to find #${id}.`);
  return found;
}
