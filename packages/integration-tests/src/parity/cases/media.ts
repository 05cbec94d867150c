import { edgeCases, recordedMedia } from '@memory-read/fixtures';
import type { ParityCase } from '../parity-case.ts';

type Change = Omit<ParityCase, 'title' | 'method' | 'path'> & { method?: string; behind?: string };

const audio = '{audio of otherMediaTypes}';
const etag = '{etag of audio}';

const { size } = recordedMedia(edgeCases.otherMediaTypes, 'audio');

const headers = (...pairs: [name: string, value: string][]) => ({ headers: pairs });

const changes: Record<string, Change> = {
  'as it is': {},
  'HEAD ': { method: 'HEAD' },
  'HEAD with a range': { method: 'HEAD', ...headers(['Range', 'bytes=0-3']) },
  'the first four bytes': headers(['Range', 'bytes=0-3']),
  'one byte': headers(['Range', 'bytes=7-7']),
  'from the middle to the end': headers(['Range', 'bytes=8000-']),
  'the last ten bytes': headers(['Range', 'bytes=-10']),
  'more last bytes than there are': headers(['Range', 'bytes=-99999999']),
  'an end beyond the end': headers(['Range', 'bytes=10-99999999']),
  'the very last byte': headers(['Range', `bytes=${size - 1}-`]),
  'a start right behind the end': headers(['Range', `bytes=${size}-`]),
  'all bytes, counted': headers(['Range', `bytes=0-${size - 1}`]),
  'as many last bytes as there are': headers(['Range', `bytes=-${size}`]),
  'a start beyond the end': headers(['Range', 'bytes=99999999-']),
  'no last bytes at all': headers(['Range', 'bytes=-0']),
  'a range in capitals': headers(['Range', 'BYTES=0-3']),
  'a range that ends before it starts': headers(['Range', 'bytes=9-3']),
  'several ranges': headers(['Range', 'bytes=0-3,8-11']),
  'an unknown unit': headers(['Range', 'items=0-3']),
  'no range at all': headers(['Range', 'bytes=']),
  'a range of words': headers(['Range', 'bytes=a-b']),
  'a range of a huge number': headers(['Range', `bytes=${'9'.repeat(30)}-`]),
  'a range, if it is still the same': headers(['Range', 'bytes=0-3'], ['If-Range', etag]),
  'a range, if it is another': headers(['Range', 'bytes=0-3'], ['If-Range', '"another"']),
  'a range, if a weak tag is the same': headers(['Range', 'bytes=0-3'], ['If-Range', `W/${etag}`]),
  'a range, if a date is the same': headers(['Range', 'bytes=0-3'], ['If-Range', 'Mon, 01 Jun 2026 12:00:00 GMT']),
  'a range beyond the end, if it is another': headers(['Range', 'bytes=99999999-'], ['If-Range', '"another"']),
  'if none matches': headers(['If-None-Match', etag]),
  'if none matches, weakly': headers(['If-None-Match', `W/${etag}`]),
  'if none of a list matches': headers(['If-None-Match', `"a, b", ${etag}`]),
  'if none matches at all': headers(['If-None-Match', '*']),
  'if none matches another': headers(['If-None-Match', '"another"']),
  'if none matches, with a range': headers(['If-None-Match', etag], ['Range', 'bytes=0-3']),
  'HEAD if none matches': { method: 'HEAD', ...headers(['If-None-Match', etag]) },
  'if it matches': headers(['If-Match', etag]),
  'if it matches another': headers(['If-Match', '"another"']),
  'if it matches weakly': headers(['If-Match', `W/${etag}`]),
  'if anything matches': headers(['If-Match', '*']),
  'with a key, which it does not need': headers(['X-API-Key', 'key-of-none']),
  'with an unknown key': headers(['Authorization', 'Bearer key-of-nobody']),
  'for a page of another origin': headers(['Origin', 'https://page.example']),
  'with a request id': headers(['X-Request-Id', 'trace-1']),
  'accepting something else': headers(['Accept', 'text/html']),
  'in its last second': { afterSeconds: 3_600 },
  'when its hour is over': { afterSeconds: 3_600.5 },
  'long after its hour': { afterSeconds: 86_400 },
  'when its hour is over, with a range': { afterSeconds: 3_600.5, ...headers(['Range', 'bytes=0-3']) },
  'HEAD when its hour is over': { afterSeconds: 3_600.5, method: 'HEAD' },
  'changed and over': { afterSeconds: 3_600.5, replace: ['audio%2F', 'video%2F'] },
  'a minute before it was made': { afterSeconds: -60 },
  'more than a minute before it was made': { afterSeconds: -61 },
  'with a later expiry': { replace: ['expires=', 'expires=9'] },
  'with a padded expiry': { replace: ['expires=', 'expires=0'] },
  'with an expiry that is not a number': { replace: ['expires=', 'expires=x'] },
  'with another content type': { replace: ['audio%2Fmpeg', 'text%2Fhtml'] },
  'with another audio type': { replace: ['audio%2Fmpeg', 'audio%2Fwav'] },
  'with the type spelled otherwise': { replace: ['audio%2Fmpeg', 'audio/mpeg'] },
  'with the type in other capitals': { replace: ['audio%2Fmpeg', 'audio%2fmpeg'] },
  'with another secret': { replace: ['key=', 'key=x'] },
  'with another signature': { replace: ['signature=', 'signature=A'] },
  'without its signature': { replace: ['&signature=', '&other='] },
  'with another object': { replace: ['other.mp3', 'other.mp4'] },
  'with an object that does not exist': { replace: ['other.mp3', 'nothing.mp3'] },
  'with the object percent-encoded otherwise': { replace: ['other.mp3', 'othe%72.mp3'] },
  'with a doubled slash': { replace: ['edge/', 'edge//'] },
  'with a slash behind the object': { replace: ['mp3?', 'mp3/?'] },
  'with a broken escape': { replace: ['mp3?', 'mp3%zz?'] },
  'with a dot segment': { replace: ['edge/', './edge/'] },
  'with dot segments': { replace: ['edge/', 'x/../edge/'] },
  'without a query': { replace: ['?', '#'] },
  'with a further parameter': { behind: '&utm_source=mail' },
  'with a parameter twice': { behind: '&expires=1' },
  'with an ampersand behind it': { behind: '&' },
  'with a fragment': { behind: '#t=10' },
  'POST ': { method: 'POST' },
  'PUT ': { method: 'PUT' },
  'DELETE ': { method: 'DELETE' },
  'OPTIONS ': { method: 'OPTIONS' },
  'TRACE ': { method: 'TRACE' },
  'a preflight': {
    method: 'OPTIONS',
    ...headers(['Origin', 'https://page.example'], ['Access-Control-Request-Method', 'GET']),
  },
};

const plain = ['/media/', '/media/edge/other.mp3', '/media//', '/media/?expires=1', '/media/%zz', '/media/v1/memories'];

const others = ['objectKeyWithSpaces', 'objectKeyWithPlus', 'objectKeyWithPercent', 'objectKeyWithUnicode'] as const;
const more = ['objectKeyWithEmptySegments', 'objectKeyWithDots', 'longObjectKey', 'idWithSlash'] as const;

export const mediaCases: readonly ParityCase[] = [
  ...Object.entries(changes).map(([title, { behind = '', method = 'GET', ...change }]) => ({
    ...{ title: `audio: ${title.trim()}`, method, path: audio + behind, ...change },
  })),
  ...(['video', 'preview_image'] as const).flatMap((kind) => [
    { title: `${kind}: as it is`, method: 'GET', path: `{${kind} of otherMediaTypes}` },
    {
      title: `${kind}: the first byte`,
      method: 'GET',
      path: `{${kind} of otherMediaTypes}`,
      ...headers(['Range', 'bytes=0-0']),
    },
  ]),
  { title: 'onlyVideo: as it is', method: 'GET', path: '{video of onlyVideo}' },
  { title: 'onlyPreviewImage: as it is', method: 'GET', path: '{preview_image of onlyPreviewImage}' },
  ...[...others, ...more].map((name) => ({
    ...{ title: `${name}: as it is`, method: 'GET', path: `{audio of ${name satisfies keyof typeof edgeCases}}` },
  })),
  ...plain.flatMap((path) =>
    ['GET', 'HEAD', 'POST'].map((method) => ({ title: `${method} ${path} without a signature`, method, path })),
  ),
];
