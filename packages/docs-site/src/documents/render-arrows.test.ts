import { expect, test } from 'vitest';
import { renderArrows } from './render-arrows.ts';

test('a flowchart becomes a table of who imports what, with the labels of packages of others', () => {
  const diagram = ['flowchart BT', '  client --> contract', '  client -.-> ky(["ky"])', '  msw --> server'].join('\n');
  expect(renderArrows(diagram).split('\n').slice(2)).toEqual([
    '| `client` | `contract` | `ky` |',
    '| `msw` | `server` | – |',
  ]);
});
