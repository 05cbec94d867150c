import { expect, test } from 'vitest';
import { codeOfComments, codeOfDocuments, exampleFolder, exampleSources } from './examples.ts';

const sources = exampleSources();
const shown = [...codeOfDocuments(), ...codeOfComments()];

test.each(shown)('the code at $place is an example that is compiled and run', ({ place, code }) => {
  const isSource = sources.some((source) => source.code === code);
  const advice = `The code at ${place} is not a tested example. Put it into a region of a file in ${exampleFolder}, and copy the region into a \`\`\`ts fence.`;
  expect(isSource, `${advice}\n\n${code}\n`).toBe(true);
});

test('every region of an example is shown somewhere', () => {
  const idle = sources.filter(({ isRegion, code }) => isRegion && !shown.some((block) => block.code === code));
  expect(idle.map(({ place }) => place)).toEqual([]);
});

test('READMEs and comments of every published package show code', () => {
  const places = shown.map(({ place }) => place).join('\n');
  for (const name of ['contract', 'client', 'server', 'fixtures', 'msw', 'conformance', 'mirror', 'mcp']) {
    expect(places).toContain(`packages/${name}/README.md`);
    expect(places).toContain(`packages/${name}/src/`);
  }
});
