import type { Curve } from '../measurement/row.ts';
import { formatNumber } from './format-finding.ts';

const [width, height] = [660, 360];
const plot = { left: 80, right: 620, top: 50, bottom: 310 };
const colours = ['#2f81f7', '#d29922', '#3fb950'];

/** A position on an axis, from a value. */
type Scale = (value: number) => number;

/** A curve as SVG, both axes logarithmic: what grows in proportion is a straight line. Readable on any background. */
export function renderCurve(curve: Curve): string {
  const points = curve.series.flatMap((series) => series.points);
  const x = axis(
    points.map(([value]) => value),
    plot.left,
    plot.right,
  );
  const y = axis(
    points.map(([, value]) => value),
    plot.bottom,
    plot.top,
  );
  const lines = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" font-family="sans-serif" font-size="12" fill="#808080">`,
    `<title>${escapeMarkup(curve.title)}</title>`,
    ...x.ticks.map((value) => verticalTick(x.place(value), value)),
    ...y.ticks.map((value) => horizontalTick(y.place(value), value)),
    text((plot.left + plot.right) / 2, height - 10, curve.xLabel, 'middle'),
    text(8, plot.top - 14, curve.yLabel, 'start'),
    ...curve.series.flatMap((series, index) => renderSeries(series, index, { x: x.place, y: y.place })),
    '</svg>',
  ];
  return `${lines.join('\n')}\n`;
}

/** From the power of ten below the least value to the one above the greatest. */
function axis(values: readonly number[], from: number, to: number): { place: Scale; ticks: number[] } {
  const first = Math.floor(Math.log10(Math.min(...values)));
  const last = Math.max(Math.ceil(Math.log10(Math.max(...values))), first + 1);
  return {
    place: (value) => from + ((Math.log10(value) - first) / (last - first)) * (to - from),
    ticks: Array.from({ length: last - first + 1 }, (_, index) => 10 ** (first + index)),
  };
}

function renderSeries(
  { name, points }: Curve['series'][number],
  index: number,
  place: { x: Scale; y: Scale },
): string[] {
  const colour = colours[index % colours.length];
  const places = points.map(([x, y]) => [round(place.x(x)), round(place.y(y))] as const);
  const left = plot.left + 10 + index * 190;
  return [
    `<polyline points="${places.map((point) => point.join(',')).join(' ')}" fill="none" stroke="${colour}" stroke-width="2"/>`,
    ...places.map(([x, y]) => `<circle cx="${x}" cy="${y}" r="3.5" fill="${colour}"/>`),
    `<rect x="${left}" y="12" width="12" height="12" fill="${colour}"/>`,
    text(left + 18, 22, name, 'start'),
  ];
}

function verticalTick(place: number, value: number): string {
  const x = round(place);
  return line(x, plot.top, x, plot.bottom) + text(x, plot.bottom + 18, formatNumber(value), 'middle');
}

function horizontalTick(place: number, value: number): string {
  const y = round(place);
  return line(plot.left, y, plot.right, y) + text(plot.left - 8, y + 4, formatNumber(value), 'end');
}

function line(x1: number, y1: number, x2: number, y2: number): string {
  return `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" stroke="#808080" stroke-opacity="0.3"/>`;
}

function text(x: number, y: number, content: string, anchor: 'start' | 'middle' | 'end'): string {
  return `<text x="${round(x)}" y="${round(y)}" text-anchor="${anchor}">${escapeMarkup(content)}</text>`;
}

function round(place: number): number {
  return Math.round(place * 10) / 10;
}

function escapeMarkup(content: string): string {
  return content.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
