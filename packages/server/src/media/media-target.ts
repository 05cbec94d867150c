import { contentTypeProblem, objectKeyProblem } from '../records/media-reference-problem.ts';
import type { SignedMediaGrant } from './media-keyring.ts';

/** Returns path and query of a media URL: the object key, then the four parameters in a fixed order. */
export function encodeMediaTarget({ objectKey, contentType, expires, secretId, signature }: SignedMediaGrant): string {
  const path = encodeURIComponent(objectKey).replaceAll('%2F', '/');
  // URL parsers escape an apostrophe in a query, which would change the URL on its first use.
  const type = encodeURIComponent(contentType).replaceAll("'", '%27');
  return `/${path}?expires=${expires}&type=${type}&key=${secretId}&signature=${signature}`;
}

/**
 * Returns the grant in a path and query, or `undefined` if they do not have the form of a media URL.
 *
 * Several spellings decode alike, so the caller compares the target with that of {@link encodeMediaTarget}.
 */
export function decodeMediaTarget(target: string): SignedMediaGrant | undefined {
  const [, path = '', expires = '', type = '', secretId = '', signature = ''] = shape.exec(target) ?? [];
  const objectKey = decodeText(path);
  const contentType = decodeText(type);
  if (objectKey === undefined || contentType === undefined) return undefined;
  if (mediaObjectProblem(objectKey, contentType) !== undefined) return undefined;
  return { objectKey, contentType, expires: Number(expires), secretId, signature };
}

/** Returns why no URL may be signed for this object, or `undefined`. */
export function mediaObjectProblem(objectKey: string, contentType: string): string | undefined {
  const keyProblem = objectKeyProblem(objectKey);
  if (keyProblem !== undefined) return `the object key ${JSON.stringify(objectKey)} ${keyProblem}`;
  const reference = { object_key: objectKey, content_type: contentType };
  // Video types are accepted as audio, so these two kinds cover all types.
  const isMedia = (['audio', 'preview_image'] as const).some(
    (kind) => contentTypeProblem(kind, reference) === undefined,
  );
  return isMedia
    ? undefined
    : `the content type ${JSON.stringify(contentType)} is not an audio, video or raster image type`;
}

const shape = /^\/([^?]+)\?expires=(\d{1,13})&type=([^&]+)&key=([\w.-]+)&signature=([\w-]+)$/;

function decodeText(encoded: string): string | undefined {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}
