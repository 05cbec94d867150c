import * as z from 'zod/mini';

/** Absolute URI, kept as it came: zod's own `url` would trim it and drop its tabs and line breaks. */
export const uriShape: z.ZodMiniType<string> = z.stringFormat('uri', isUri);

function isUri(text: string): boolean {
  return URL.canParse(text) && !/\s/.test(text);
}
