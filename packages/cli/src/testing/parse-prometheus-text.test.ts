import { expect, test } from 'vitest';
import { parsePrometheusText } from './parse-prometheus-text.ts';

const counter = '# HELP a_total Text.\n# TYPE a_total counter\n';
const histogram = '# HELP h Text.\n# TYPE h histogram\n';

test('reads names, labels with escapes, and values', () => {
  const text = `${counter}a_total{x="1,}\\"\\\\\\n",y=""} 2\na_total 1e3\n\n${histogram}h_bucket{le="1"} 0\nh_bucket{le="+Inf"} 1\nh_sum 2.5\nh_count 1\n`;
  const { samples, samplesOf } = parsePrometheusText(text);
  expect(samples[0]).toEqual({ name: 'a_total', labels: { x: '1,}"\\\n', y: '' }, value: 2 });
  expect(samplesOf('h_bucket')).toEqual({ 'le="1"': 0, 'le="+Inf"': 1 });
});

test.each([
  ['no line feed at the end', `${counter}a_total 1`],
  ['a sample without HELP', '# TYPE a_total counter\na_total 1\n'],
  ['a sample without TYPE', '# HELP a_total Text.\na_total 1\n'],
  ['an unknown type', '# HELP a Text.\n# TYPE a number\na 1\n'],
  ['a second TYPE', `${counter}# TYPE a_total counter\na_total 1\n`],
  ['a sample of another name', `${counter}b_total 1\n`],
  ['the same sample twice', `${counter}a_total{x="1"} 1\na_total{x="1"} 2\n`],
  ['a value that is not a number', `${counter}a_total one\n`],
  ['a negative counter', `${counter}a_total -1\n`],
  ['a counter that is not a number', `${counter}a_total NaN\n`],
  ['an unescaped quotation mark', `${counter}a_total{x="a"b"} 1\n`],
  ['a label twice', `${counter}a_total{x="1",x="2"} 1\n`],
  ['a name with a dash', '# HELP a-b Text.\n# TYPE a-b gauge\na-b 1\n'],
  ['a histogram without +Inf', `${histogram}h_bucket{le="1"} 1\nh_sum 1\nh_count 1\n`],
  ['falling buckets', `${histogram}h_bucket{le="1"} 2\nh_bucket{le="+Inf"} 1\nh_sum 1\nh_count 1\n`],
  ['a count that differs', `${histogram}h_bucket{le="+Inf"} 1\nh_sum 1\nh_count 2\n`],
  ['a histogram without a sum', `${histogram}h_bucket{le="+Inf"} 1\nh_count 1\n`],
])('rejects %s', (_, text) => {
  expect(() => parsePrometheusText(text)).toThrow();
});
