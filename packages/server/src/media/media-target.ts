import { contentTypeProblem, objectKeyProblem } from '../records/media-reference-problem.ts';
import type { SignedMediaGrant } from './media-keyring.ts';

/** Path and query of a media URL: the object key segment by segment, then the four parameters in their only order. */
export function encodeMediaTarget({ objectKey, contentType, expires, secretId, signature }: SignedMediaGrant): string {
  const path = encodeURIComponent(objectKey).replaceAll('%2F', '/');
  // URL parsers escape an apostrophe in a query; left as it is, the URL would change on its first use.
  const type = encodeURIComponent(contentType).replaceAll("'", '%27');
  return `/${path}?expires=${expires}&type=${type}&key=${secretId}&signature=${signature}`;
}

/**
 * What a path and query say, or `undefined` when they have not the shape of a media URL.
 *
 * Of the spellings that decode alike only one is what {@link encodeMediaTarget} writes: the caller compares.
 */
export function decodeMediaTarget(target: string): SignedMediaGrant | undefined {
  const [, path = '', expires = '', type = '', secretId = '', signature = ''] = shape.exec(target) ?? [];
  const objectKey = decodeText(path);
  const contentType = decodeText(type);
  if (objectKey === undefined || contentType === undefined) return undefined;
  if (mediaObjectProblem(objectKey, contentType) !== undefined) return undefined;
  return { objectKey, contentType, expires: Number(expires), secretId, signature };
}

/** Why no URL may be signed for this object, or `undefined`. */
export function mediaObjectProblem(objectKey: string, contentType: string): string | undefined {
  const keyProblem = objectKeyProblem(objectKey);
  if (keyProblem !== undefined) return `the object key ${JSON.stringify(objectKey)} ${keyProblem}`;
  const reference = { object_key: objectKey, content_type: contentType };
  // Video types pass as audio, so these two are all there is.
  const isMedia = (['audio', 'preview_image'] as const).some(
    (kind) => contentTypeProblem(kind, reference) === undefined,
  );
  return isMedia ? undefined : `the content type ${JSON.stringify(contentType)} is no audio, video or raster image`;
}

const shape = /^\/([^?]+)\?expires=(\d{1,13})&type=([^&]+)&key=([\w.-]+)&signature=([\w-]+)$/;

function decodeText(encoded: string): string | undefined {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}
