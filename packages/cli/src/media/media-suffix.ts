import type { MediaKind } from '@memory-read/client';

/** Returns the end of a media file's name, after the stem, such as `.audio.wav`. */
export function mediaSuffix(kind: MediaKind, mediaUrl: string): string {
  const extension = extensionOf(mediaUrl);
  return `.${labels[kind]}${extension === undefined ? '' : `.${extension}`}`;
}

const labels: Record<MediaKind, string> = { audio: 'audio', video: 'video', preview_image: 'preview' };

/** Known extensions of media, because a URL with `.exe` at its end must not name the file. */
const known =
  /^(?:aac|aif|aiff|amr|avi|avif|bmp|caf|flac|gif|heic|jpeg|jpg|m4a|m4v|mka|mkv|mov|mp3|mp4|mpeg|mpg|oga|ogg|ogv|opus|png|tif|tiff|ts|wav|weba|webm|webp|wma|wmv)$/;

function extensionOf(mediaUrl: string): string | undefined {
  const path = URL.canParse(mediaUrl) ? new URL(mediaUrl).pathname : '';
  const extension = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase();
  return extension !== undefined && known.test(extension) ? extension : undefined;
}
