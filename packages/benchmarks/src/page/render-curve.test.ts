import { expect, test } from 'vitest';
import { renderCurve } from './render-curve.ts';

const curve = {
  id: 'growth',
  title: 'Time & size',
  xLabel: 'memories',
  yLabel: 'ms',
  series: [
    {
      name: 'whole',
      points: [
        [10, 1],
        [100, 10],
        [1_000, 100],
      ] as [number, number][],
    },
    {
      name: 'first',
      points: [
        [10, 1],
        [1_000, 1],
      ] as [number, number][],
    },
  ],
};

test('what grows in proportion is a straight line from corner to corner', () => {
  expect(renderCurve(curve)).toContain('points="80,310 350,180 620,50"');
  expect(renderCurve(curve)).toContain('points="80,310 620,310"');
});

test('axes are marked at powers of ten, and text cannot break the markup', () => {
  const svg = renderCurve(curve);
  for (const tick of ['>10<', '>100<', '>1,000<', '>1<']) expect(svg).toContain(tick);
  expect(svg).toContain('<title>Time &amp; size</title>');
});
