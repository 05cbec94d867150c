import { createHash } from 'node:crypto';
import { type IndexList, toScriptJson } from './index-data.ts';
import { indexStyle } from './index-style.ts';
import { pageProgram } from './page-program.ts';

// The scripts of the months are files beside the page. If a page is opened from a disk, 'self' does not include them,
// so `file:` is needed.
const policy = [
  "default-src 'none'",
  `script-src '${hash(pageProgram)}' 'self' file:`,
  `style-src '${hash(indexStyle)}'`,
  "media-src 'self' file:",
  "img-src 'self' file: data:",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** Returns `index.html`: the list of memories, a search and a player. It loads nothing from a network. */
export function toIndexHtml(list: IndexList): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>Memories</title>
<link rel="icon" href="data:,">
<style>${indexStyle}</style>
</head>
<body>
<header><div class="bar"><a href="#/">Memories</a><input id="search" type="search" placeholder="Search every word" aria-label="Search" autocomplete="off"><p id="status" role="status"></p></div></header>
<main id="main"><noscript>This page needs JavaScript. The folder pages holds the same as text.</noscript></main>
<script type="application/json" id="memories">${toScriptJson(list)}</script>
<script>${pageProgram}</script>
</body>
</html>
`;
}

function hash(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
