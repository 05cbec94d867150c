/** Known extensions of media, because a URL with `.exe` at its end must not name the file. */
const known =
  /^(?:aac|aif|aiff|amr|avi|avif|bmp|caf|flac|gif|heic|jpeg|jpg|m4a|m4v|mka|mkv|mov|mp3|mp4|mpeg|mpg|oga|ogg|ogv|opus|png|tif|tiff|ts|wav|weba|webm|webp|wma|wmv)$/;

/** Returns the end of a media file's name, such as `.wav`; an empty text if the URL has no known one. */
export function mediaSuffix(mediaUrl: string): string {
  const path = URL.canParse(mediaUrl) ? new URL(mediaUrl).pathname : '';
  const [suffix = ''] = /\.\w+$/.exec(path.toLowerCase()) ?? [];
  return known.test(suffix.slice(1)) ? suffix : '';
}
