const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Escapes a text for HTML. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => escapes[sign] ?? sign);
}

/** Returns a template's HTML: lists are joined, and what is false or undefined is left out. */
export function html(
  parts: TemplateStringsArray,
  ...values: (string | number | false | undefined | string[])[]
): string {
  const texts = values.map((value) =>
    Array.isArray(value) ? value.join('') : value === false ? '' : String(value ?? ''),
  );
  return String.raw({ raw: parts }, ...texts);
}
