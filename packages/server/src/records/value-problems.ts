import type { MediaKind, MediaReference } from '@memory-read/contract';

const maximumIdLength = 256;
// Replaces `String.prototype.isWellFormed`, which ES2022 lacks.
export const loneSurrogate = /\p{Surrogate}/u;

/** Returns the problem with a text that every store must hold and order alike, or `undefined`. */
export function textProblem(text: string): string | undefined {
  if (typeof text !== 'string') return 'is not a string';
  if (text.includes('\0')) return 'contains the character U+0000';
  if (loneSurrogate.test(text)) return 'is not well-formed Unicode';
  return undefined;
}

/** Returns the problem with the id of a memory, an account or a key, or `undefined`. */
export function idProblem(id: string): string | undefined {
  if (typeof id !== 'string') return 'is not a string';
  if (id === '') return 'is empty';
  if (id === '.' || id === '..') return 'is a dot segment, which URLs cannot contain';
  if (loneSurrogate.test(id)) return 'is not well-formed Unicode';
  if (/\p{Cc}/u.test(id)) return 'contains a control character';
  if (id.length > maximumIdLength && Array.from(id).length > maximumIdLength) {
    return `is longer than ${maximumIdLength} characters`;
  }
  return undefined;
}

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
  // Most keys are short, so their bytes need not be counted.
  const mayBeLong = objectKey.length * mostBytesPerUnit > maximumKeyBytes;
  if (mayBeLong && encoder.encode(objectKey).length > maximumKeyBytes)
    return `is longer than ${maximumKeyBytes} bytes of UTF-8`;
  return textProblem(objectKey);
}

const dotSegment = /(?:^|\/)\.\.?(?:\/|$)/;
/** The limit of S3. A much longer key would make the URL too long for the head of a request. */
const maximumKeyBytes = 1_024;
const mostBytesPerUnit = 3;
const encoder = new TextEncoder();

/**
 * Returns the problem with the media type of this kind, or `undefined`. Types that a browser would run are rejected.
 */
export function contentTypeProblem(kind: MediaKind, { content_type }: MediaReference): string | undefined {
  const { pattern, name } = allowedTypes[kind];
  const allowed = mediaType.test(content_type) && pattern.test(content_type) && !scriptable.test(content_type);
  return allowed ? undefined : `is not ${name}`;
}

/** Returns why no URL may be signed for this object, or `undefined`. */
export function mediaObjectProblem(objectKey: string, contentType: string): string | undefined {
  const keyProblem = objectKeyProblem(objectKey);
  if (keyProblem !== undefined) return `the object key ${JSON.stringify(objectKey)} ${keyProblem}`;
  const reference = { object_key: objectKey, content_type: contentType };
  // Video types are accepted as audio, so these two kinds cover all types.
  if (contentTypeProblem('audio', reference) === undefined) return undefined;
  if (contentTypeProblem('preview_image', reference) === undefined) return undefined;
  return `the content type ${JSON.stringify(contentType)} is not an audio, video or raster image type`;
}
