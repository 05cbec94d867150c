import type { MediaKind, MediaReference } from '@memory-read/contract';
import { textProblem } from './storable-text.ts';

// Recorders name the container, so a recording without pictures is often called video/webm or video/mp4.
const allowedTypes: Record<MediaKind, { pattern: RegExp; name: string }> = {
  audio: { pattern: /^(?:audio|video)\//i, name: 'an audio type such as audio/wav' },
  video: { pattern: /^video\//i, name: 'a video type such as video/mp4' },
  preview_image: { pattern: /^image\//i, name: 'a raster image type such as image/png' },
};
const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const parameter = `[ \\t]*;[ \\t]*${token}=(?:${token}|"[ !#-\\[\\]-~]*")`;
const mediaType = new RegExp(`^${token}/${token}(?:${parameter})*$`);
const scriptable = /^[^;]*(?:svg|xml|html)/i;

/** Returns the problem with a key of the media storage, or `undefined`. */
export function objectKeyProblem(objectKey: string): string | undefined {
  if (objectKey === '') return 'is empty';
  if (dotSegment.test(objectKey)) return 'contains a . or .. segment';
  if (isLongerThan(objectKey, maximumKeyBytes)) return `is longer than ${maximumKeyBytes} bytes of UTF-8`;
  return textProblem(objectKey);
}

const dotSegment = /(?:^|\/)\.\.?(?:\/|$)/;
/** The limit of S3. A much longer key would make the URL too long for the head of a request. */
const maximumKeyBytes = 1_024;
const mostBytesPerUnit = 3;
const encoder = new TextEncoder();

function isLongerThan(text: string, bytes: number): boolean {
  return text.length * mostBytesPerUnit > bytes && encoder.encode(text).length > bytes;
}

/**
 * Returns the problem with the media type of this kind, or `undefined`. Types that a browser would run are rejected.
 */
export function contentTypeProblem(kind: MediaKind, { content_type }: MediaReference): string | undefined {
  const { pattern, name } = allowedTypes[kind];
  const allowed = mediaType.test(content_type) && pattern.test(content_type) && !scriptable.test(content_type);
  return allowed ? undefined : `is not ${name}`;
}
