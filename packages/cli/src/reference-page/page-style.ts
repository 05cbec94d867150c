/** Style of the reference page: system fonts, light or dark, one column on a phone and two on a wide screen. */
export const pageStyle = `
:root {
  color-scheme: light dark;
  --paper: light-dark(#f7f5f0, #151413); --sheet: light-dark(#fffefb, #1e1c1a); --line: light-dark(#e3ddd2, #34302c);
  --ink: light-dark(#1f1c18, #f0ebe2); --soft: light-dark(#635c52, #a99f92);
  --accent: light-dark(#1d6b58, #7fcdb3); --on-accent: light-dark(#ffffff, #0d241d); --wash: light-dark(#e0ede7, #1f332c);
  --alert: light-dark(#9a3412, #f0a27c);
  --serif: ui-serif, "Iowan Old Style", Palatino, "Source Serif 4", Georgia, serif;
}
* { box-sizing: border-box; }
html { scroll-padding-top: 4rem; }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 1rem/1.6 ui-sans-serif, system-ui, "Segoe UI", Roboto, sans-serif; overflow-wrap: break-word;
}
a { color: var(--accent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.skip { position: absolute; left: -100vw; background: var(--paper); padding: 0.5rem 1rem; z-index: 2; }
.skip:focus { left: 0; }
nav {
  position: sticky; top: 0; z-index: 1; overflow-x: auto;
  background: var(--paper); border-bottom: 1px solid var(--line); font-size: 0.9375rem;
}
nav ul { list-style: none; margin: 0; padding: 0; }
nav a { display: block; padding: 0.25rem 0; color: inherit; text-decoration: none; }
nav a:hover { color: var(--accent); text-decoration: underline; }
main { max-width: 84rem; padding: 1.75rem 1.25rem 5rem; }
h1, h2, h3, h4 { line-height: 1.25; margin: 2rem 0 0.75rem; }
h1, h2 { font-family: var(--serif); font-weight: 600; letter-spacing: -0.01em; }
h1 { font-size: 2.125rem; margin-top: 0; }
h1 .type { font-family: ui-sans-serif, system-ui, sans-serif; letter-spacing: 0; white-space: nowrap; }
h2 { font-size: 1.625rem; margin-top: 3rem; }
h3 { font-size: 1.25rem; margin-top: 0; }
section + section > h3 { margin-top: 2.5rem; }
h4, .samples legend { font-size: 0.9375rem; font-weight: 600; margin: 1.75rem 0 0.5rem; }
header p, section > p, section > dl { max-width: 44rem; }
code { font: 0.875em/1.55 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
p code, li code, dd code { background: var(--sheet); border: 1px solid var(--line); border-radius: 5px; padding: 0 0.3em; }
pre {
  margin: 0; padding: 0.875rem 1rem; max-height: 26rem; overflow: auto; font-size: 0.9375rem; line-height: 1.5;
  background: var(--sheet); border: 1px solid var(--line); border-radius: 9px;
}
.operation { margin-top: 2rem; }
.operation + .operation { margin-top: 3rem; padding-top: 3rem; border-top: 1px solid var(--line); }
.samples { min-width: 0; margin: 1.75rem 0 0; padding: 0; border: 0; }
.samples legend { float: left; margin: 0; padding: 0.25rem 0; }
.languages { display: flex; justify-content: flex-end; gap: 0.25rem; margin-bottom: 0.5rem; }
.languages label {
  position: relative; padding: 0.25rem 0.625rem; border-radius: 99px; color: var(--soft); font-size: 0.875rem; cursor: pointer;
}
.languages label:hover { color: var(--ink); }
.languages input { position: absolute; inset: 0; width: 100%; margin: 0; opacity: 0; cursor: pointer; }
.languages label:has(:checked) { background: var(--wash); color: var(--accent); font-weight: 600; }
.languages label:has(:focus-visible) { outline: 2px solid var(--accent); outline-offset: 2px; }
@supports selector(:has(*)) {
  .samples [data-language] { display: none; }
  .samples:has([value="curl"]:checked) [data-language="curl"],
  .samples:has([value="typescript"]:checked) [data-language="typescript"],
  .samples:has([value="python"]:checked) [data-language="python"] { display: block; }
}
.type { color: var(--soft); font-size: 0.875rem; font-weight: 400; }
.endpoint { overflow-wrap: anywhere; }
.endpoint code { padding: 0; border: 0; background: none; }
.method { color: var(--accent); font-size: 0.8125rem; font-weight: 700; letter-spacing: 0.04em; }
dl { margin: 0; border-top: 1px solid var(--line); }
dt { padding-top: 0.625rem; font-weight: 600; }
dd { margin: 0; padding-bottom: 0.625rem; border-bottom: 1px solid var(--line); }
details { border-bottom: 1px solid var(--line); }
summary { cursor: pointer; padding: 0.5rem 0; }
details p { margin: 0.25rem 0 0.75rem; color: var(--soft); font-size: 0.875rem; }
.status { font-weight: 700; margin-right: 0.375rem; }
.status-2 { color: var(--accent); } .status-4, .status-5 { color: var(--alert); }
figure { margin: 0 0 1rem; }
figcaption { margin-bottom: 0.25rem; color: var(--soft); font-size: 0.875rem; }
.json-string, .json-value { color: var(--accent); }
.try-it { background: var(--sheet); border: 1px solid var(--line); border-radius: 9px; padding: 1rem; }
.try-it label { display: block; font-weight: 600; margin-bottom: 0.25rem; }
.try-it input, .try-it button { font: inherit; border: 1px solid var(--soft); border-radius: 6px; color: var(--ink); }
.try-it input { width: 100%; padding: 0.4375rem 0.625rem; background: var(--paper); }
.try-it label code { font-weight: 600; }
.try-it .hint { margin: 0.25rem 0 0.875rem; color: var(--soft); font-size: 0.875rem; }
.try-it [type="submit"] {
  background: var(--accent); border-color: var(--accent); color: var(--on-accent);
  font-weight: 600; padding: 0.375rem 1.25rem; cursor: pointer;
}
.try-it input + [type="submit"] { margin-top: 0.875rem; }
.try-it button:hover { filter: brightness(1.15); }
.try-status { margin: 0.875rem 0 0; }
.try-status .status { margin: 0; }
.try-status:empty { display: none; }
.try-headers { display: grid; grid-template-columns: max-content minmax(0, 1fr); margin: 0.75rem 0; }
.try-headers dt, .try-headers dd { padding: 0.25rem 0; border-bottom: 1px solid var(--line); font-size: 0.875rem; }
.try-headers dt { padding-right: 1rem; }
.try-headers dd { overflow-wrap: anywhere; }
.try-memories {
  list-style: none; margin: 0.5rem 0; padding: 0.5rem 0.75rem; max-height: 18rem; overflow-y: auto;
  border: 1px solid var(--line); border-radius: 8px;
}
.try-memories li { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 0.75rem; padding: 0.25rem 0; }
.try-memories span { flex: 1 1 14rem; overflow-wrap: anywhere; }
.try-memories button {
  background: var(--sheet); color: var(--accent); padding: 0.1875rem 0.5rem; cursor: pointer;
  font: 0.8125rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; overflow-wrap: anywhere;
}
.try-result audio, .try-result video, .try-result img { display: block; max-width: 100%; margin-top: 0.25rem; }
.try-result audio { width: 100%; }
.try-result video, .try-result img { border-radius: 6px; max-height: 20rem; }
@media (max-width: 63.99rem) {
  nav > ul, nav > ul > li { display: flex; gap: 1.25rem; }
  nav > ul { padding: 0.5rem 1.25rem; white-space: nowrap; }
  nav a[href="#operations"], nav a[href="#schemas"] + ul { display: none; }
  nav ul ul { display: flex; gap: inherit; }
}
@media (min-width: 64rem) {
  html { scroll-padding-top: 2rem; }
  body { display: grid; grid-template-columns: 14rem minmax(0, 1fr); }
  nav { height: 100vh; overflow-y: auto; border: 0; border-right: 1px solid var(--line); padding: 2.25rem 1.5rem; }
  nav ul ul { padding-left: 0.875rem; margin-bottom: 0.5rem; }
  nav ul ul a { color: var(--soft); }
  main { padding: 2.25rem 3rem 6rem; }
}
@media (min-width: 76rem) {
  .operation { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 3rem; }
  .samples { margin-top: 0; }
}
`;
