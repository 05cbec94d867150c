/** Copies a value, and freezes the copy with all its parts. `copyText` can change each text in it. */
export function frozenCopy<Value>(value: Value, copyText = (text: string) => text): Value {
  if (typeof value === 'string') return copyText(value) as Value;
  if (typeof value !== 'object' || value === null) return value;
  const parts = Object.entries(value).map(([name, part]) => [name, frozenCopy(part, copyText)] as const);
  const copy = Array.isArray(value) ? parts.map(([, part]) => part) : Object.fromEntries(parts);
  return Object.freeze(copy) as Value;
}
