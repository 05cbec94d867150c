/** Style of the reference page: system fonts, light or dark, and one column on a phone. */
export const pageStyle = `
:root {
  color-scheme: light dark;
  --background: #ffffff; --surface: #f4f6f8; --border: #d8dee4; --text: #1b1f24; --muted: #57606a;
  --link: #0550ae; --method: #116329; --success: #116329; --problem: #8a4600; --failure: #a40e26;
  --key: #0550ae; --string: #116329; --value: #8a4600;
}
@media (prefers-color-scheme: dark) {
  :root {
    --background: #14181d; --surface: #1d232a; --border: #353d47; --text: #e6eaef; --muted: #a4afbb;
    --link: #79b8ff; --method: #1a7f37; --success: #7ee2a8; --problem: #f2b76b; --failure: #ff9ea6;
    --key: #79b8ff; --string: #7ee2a8; --value: #f2b76b;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body {
  margin: 0; background: var(--background); color: var(--text);
  font: 1rem/1.6 system-ui, sans-serif; overflow-wrap: break-word;
}
a { color: var(--link); }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
.skip { position: absolute; left: -100vw; background: var(--background); padding: 0.5rem 1rem; z-index: 1; }
.skip:focus { left: 0; }
nav { border-bottom: 1px solid var(--border); padding: 1rem 1.25rem; font-size: 0.9375rem; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav ul ul { padding-left: 0.875rem; }
nav a { display: inline-block; padding: 0.125rem 0; text-decoration: none; }
nav a:hover { text-decoration: underline; }
main { max-width: 52rem; padding: 1.5rem 1.25rem 4rem; }
h1, h2, h3, h4 { line-height: 1.25; margin: 2rem 0 0.75rem; }
h1 { font-size: 2rem; margin-top: 0; }
h2 { font-size: 1.5rem; margin-top: 3rem; padding-bottom: 0.375rem; border-bottom: 1px solid var(--border); }
h3 { font-size: 1.1875rem; }
h4 { font-size: 1rem; margin-top: 1.5rem; }
code { font: 0.875em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
p code, li code, dd code { background: var(--surface); border-radius: 4px; padding: 0.125em 0.3em; }
pre {
  margin: 0.5rem 0; padding: 0.875rem 1rem; max-height: 26rem; overflow: auto;
  background: var(--surface); border: 1px solid var(--border); border-radius: 8px;
}
.type { color: var(--muted); font-size: 0.875rem; font-weight: 400; }
.endpoint { font-weight: 600; }
.method {
  background: var(--method); color: #ffffff; border-radius: 4px; padding: 0.125rem 0.5rem;
  font-size: 0.8125rem; letter-spacing: 0.03em;
}
dl { margin: 0; border-top: 1px solid var(--border); }
dt { padding-top: 0.625rem; font-weight: 600; }
dd { margin: 0; padding-bottom: 0.625rem; border-bottom: 1px solid var(--border); }
details { border: 1px solid var(--border); border-radius: 8px; padding: 0 1rem; margin: 0.5rem 0; }
summary { cursor: pointer; padding: 0.625rem 0; }
.status { font-weight: 700; margin-right: 0.375rem; }
.status-2 { color: var(--success); } .status-4 { color: var(--problem); } .status-5 { color: var(--failure); }
figure { margin: 0 0 1rem; }
figcaption { color: var(--muted); font-size: 0.875rem; }
.json-key { color: var(--key); } .json-string { color: var(--string); } .json-value { color: var(--value); }
.try-it { border: 1px solid var(--border); border-radius: 8px; padding: 1rem; margin: 0.5rem 0; }
.try-it label { display: block; font-weight: 600; margin-bottom: 0.25rem; }
.try-it input, .try-it button { font: inherit; border: 1px solid var(--muted); border-radius: 6px; color: var(--text); }
.try-it input { width: 100%; padding: 0.4375rem 0.625rem; background: var(--background); }
.try-it label code { font-weight: 600; }
.try-it .hint { margin: 0.25rem 0 0.875rem; color: var(--muted); font-size: 0.875rem; }
.try-it [type="submit"] {
  background: var(--link); border-color: var(--link); color: var(--background);
  font-weight: 600; padding: 0.375rem 1.25rem; cursor: pointer;
}
.try-it input + [type="submit"] { margin-top: 0.875rem; }
.try-it button:hover { filter: brightness(1.15); }
.try-status { margin: 0.875rem 0 0; }
.try-status .status { margin: 0; }
.try-status:empty { display: none; }
.try-headers { display: grid; grid-template-columns: max-content minmax(0, 1fr); margin: 0.75rem 0; }
.try-headers dt, .try-headers dd { padding: 0.25rem 0; border-bottom: 1px solid var(--border); font-size: 0.875rem; }
.try-headers dt { padding-right: 1rem; }
.try-headers dd { overflow-wrap: anywhere; }
.try-memories {
  list-style: none; margin: 0.5rem 0; padding: 0.5rem 0.75rem; max-height: 18rem; overflow-y: auto;
  border: 1px solid var(--border); border-radius: 8px;
}
.try-memories li { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 0.75rem; padding: 0.25rem 0; }
.try-memories span { flex: 1 1 14rem; overflow-wrap: anywhere; }
.try-memories button {
  background: var(--surface); color: var(--link); padding: 0.1875rem 0.5rem; cursor: pointer;
  font: 0.8125rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; overflow-wrap: anywhere;
}
.try-result audio, .try-result video, .try-result img { display: block; max-width: 100%; margin-top: 0.25rem; }
.try-result audio { width: 100%; }
.try-result video, .try-result img { border-radius: 6px; max-height: 20rem; }
@media (min-width: 64rem) {
  body { display: grid; grid-template-columns: 16rem minmax(0, 1fr); }
  nav {
    position: sticky; top: 0; height: 100vh; overflow-y: auto;
    border-bottom: 0; border-right: 1px solid var(--border); padding: 2rem 1.5rem;
  }
  main { padding: 2rem 3rem 6rem; }
}
`;
