import { toInstant } from './to-instant.ts';

/**
 * Returns the expiry time of a signed URL, in milliseconds since 1970. It is undefined if the form of the URL is
 * unknown.
 */
export function mediaUrlExpiry(url: string): number | undefined {
  if (!URL.canParse(url)) return undefined;
  const parameters = new Map([...new URL(url).searchParams].map(([name, value]) => [name.toLowerCase(), value]));
  return (
    signedPeriod(parameters, 'x-amz') ??
    signedPeriod(parameters, 'x-goog') ??
    toInstant(parameters.get('se')) ??
    unixSeconds(parameters.get('expires'))
  );
}

/** Reads the form of S3 and of Google: the time of signing and the lifetime in seconds. */
function signedPeriod(parameters: Map<string, string>, prefix: string): number | undefined {
  const signed = parameters.get(`${prefix}-date`)?.replace(/^(\d{4})(\d\d)(\d\dT\d\d)(\d\d)(\d\dZ)$/, '$1-$2-$3:$4:$5');
  const [start, seconds] = [toInstant(signed), Number(parameters.get(`${prefix}-expires`) ?? Number.NaN)];
  return start === undefined || Number.isNaN(seconds) ? undefined : start + seconds * 1000;
}

function unixSeconds(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{9,11}$/.test(text) ? Number(text) * 1000 : undefined;
}
