/** Text as it may stand in an error: without the API key, without the query of any URL, without a URL's password. */
export function redact(text: string, apiKey: string | undefined): string {
  const withoutKey = apiKey === undefined ? text : text.replaceAll(apiKey, '[redacted]');
  return withoutKey.replace(/\?[^\s"'<>]+/g, '?[redacted]').replace(/\/\/[^\s/@"'<>]+@/g, '//[redacted]@');
}
