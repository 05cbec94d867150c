import { type Finding, isMet } from '../measurement/finding.ts';

/** The cells of a finding: the number with the range of the middle half, and the goal with whether that is met. */
export function formatFinding(finding: Finding): string[] {
  const { lower, upper } = finding.value;
  const verdict = isMet(finding) ? 'met' : '**missed**';
  const goal = finding.goal === undefined ? '' : `${formatGoal(finding)}: ${verdict}`;
  return [formatValue(finding) + formatRange(lower, upper), goal];
}

/** The number with its unit, such as `1.21 ×`. */
function formatValue({ value, unit }: Finding): string {
  return `${formatNumber(value.median)} ${unit}`;
}

function formatGoal({ goal, unit }: Finding): string {
  if (goal === undefined) return '';
  return 'atMost' in goal ? `≤ ${goal.atMost} ${unit}` : `≥ ${goal.atLeast} ${unit}`;
}

/** Three significant digits, and no fraction from a hundred on. */
export function formatNumber(value: number): string {
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en');
  return String(Number(value.toPrecision(3)));
}

/** Empty for an exact number. */
function formatRange(from: number, to: number): string {
  return from === to ? '' : ` (${formatNumber(from)} – ${formatNumber(to)})`;
}
