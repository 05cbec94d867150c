/** Style sheet of `index.html`. */
export const indexStyle = `
:root {
  color-scheme: light dark;
  --paper: light-dark(#f7f5f0, #151413);
  --sheet: light-dark(#fffefb, #1e1c1a);
  --hover: light-dark(#efebe3, #272422);
  --line: light-dark(#e3ddd2, #34302c);
  --ink: light-dark(#1f1c18, #f0ebe2);
  --soft: light-dark(#635c52, #a99f92);
  --accent: light-dark(#1d6b58, #7fcdb3);
  --wash: light-dark(#e0ede7, #1f332c);
  --alert: light-dark(#9a3412, #f0a27c);
  --serif: ui-serif, "Iowan Old Style", Palatino, "Source Serif 4", Georgia, serif;
}
* { box-sizing: border-box; }
body {
  margin: 0;
  background: var(--paper);
  color: var(--ink);
  font: 1rem/1.55 ui-sans-serif, system-ui, "Segoe UI", Roboto, sans-serif;
  overflow-wrap: anywhere;
}
body > header {
  position: sticky;
  top: 0;
  z-index: 1;
  background: var(--paper);
  border-bottom: 1px solid var(--line);
}
.bar, main { max-width: 46rem; margin: 0 auto; padding: 0.75rem 1rem; }
.bar { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; align-items: center; }
.bar a { color: inherit; text-decoration: none; font: 600 1.35rem/1.3 var(--serif); }
#search {
  flex: 1 1 14rem;
  min-width: 0;
  padding: 0.5rem 0.75rem;
  border: 1px solid var(--soft);
  border-radius: 9px;
  background: var(--sheet);
  color: inherit;
  font: inherit;
}
#status { flex-basis: 100%; margin: 0; color: var(--soft); font-size: 0.875rem; }
#status:empty { display: none; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
a { color: var(--accent); }
h1 { margin: 0.25rem 0; font: 600 1.75rem/1.25 var(--serif); }
h2 { margin: 1.75rem 0 0.5rem; font-size: 1rem; }
h2:first-child { margin-top: 0.25rem; }
.rows { margin: 0; padding: 0; list-style: none; }
.rows .day h2 { margin: 1.25rem 0 0.25rem; color: var(--soft); font-size: 0.875rem; font-weight: 600; }
.row {
  display: grid;
  grid-template-columns: 3.25rem minmax(0, 1fr) auto;
  gap: 0.75rem;
  margin: 0 -0.75rem;
  padding: 0.6rem 0.75rem;
  border-radius: 9px;
  color: inherit;
  text-decoration: none;
}
.row.hit { grid-template-columns: minmax(0, 1fr); }
.nearest .row { margin: 0.5rem 0; border: 1px dashed var(--soft); }
.row:hover { background: var(--hover); }
.what { display: grid; gap: 0.1rem; min-width: 0; }
.time, .length, .facts, .summary { color: var(--soft); font-size: 0.9rem; font-variant-numeric: tabular-nums; }
.summary { display: -webkit-box; overflow: hidden; -webkit-box-orient: vertical; -webkit-line-clamp: 2; }
.state { justify-self: start; color: var(--alert); font-size: 0.8rem; }
.facts + .facts { margin-top: -0.75rem; }
.facts .state { margin-left: 0.75rem; }
mark { border-radius: 3px; background: var(--wash); color: var(--accent); font-weight: 600; }
.empty { margin: 3rem 0; color: var(--soft); text-align: center; }
.unseen { position: absolute; overflow: hidden; width: 1px; height: 1px; margin: 0; clip-path: inset(50%); white-space: nowrap; }
.back { margin: 0.5rem 0; }
audio, video, img { display: block; width: 100%; max-height: 60vh; margin: 1rem 0; border-radius: 9px; }
video { background: #12110f; }
.lead { font: 1.1rem/1.6 var(--serif); }
.transcript h3 { margin: 1rem 0 0.15rem; font-size: 0.875rem; }
.line {
  display: grid;
  grid-template-columns: 4rem minmax(0, 1fr);
  gap: 0.5rem;
  width: calc(100% + 1rem);
  margin: 0 -0.5rem;
  padding: 0.2rem 0.5rem;
  border: 0;
  border-radius: 6px;
  background: none;
  color: inherit;
  font: inherit;
  text-align: start;
}
.part { content-visibility: auto; contain-intrinsic-block-size: auto 250rem; }
button.line { cursor: pointer; user-select: text; }
button.line:hover { background: var(--hover); }
.line[aria-current], .line.found { background: var(--wash); }
.voice-0 { color: light-dark(#1d6b58, #7fcdb3); }
.voice-1 { color: light-dark(#a8481f, #eda27c); }
.voice-2 { color: light-dark(#4a56a6, #a7b0f0); }
.voice-3 { color: light-dark(#8a3f75, #e0a0cf); }
.voice-4 { color: light-dark(#6f6112, #d6c667); }
.voice-5 { color: light-dark(#27658c, #88c2e6); }
.more { display: block; margin: 1rem auto; padding: 0.5rem 1.25rem; border: 1px solid var(--line); border-radius: 9px; background: var(--sheet); color: inherit; font: inherit; cursor: pointer; }
`;
