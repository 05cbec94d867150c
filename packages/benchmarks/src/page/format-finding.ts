import { type Finding, isMet } from '../measurement/finding.ts';

/** The cells of a finding: the number, its spread and range, its goal and whether that is met. */
export function formatFinding(finding: Finding): string[] {
  const { least, lower, upper, most } = finding.value;
  return [
    formatValue(finding),
    formatRange(lower, upper),
    formatRange(least, most),
    formatGoal(finding),
    formatVerdict(finding),
  ];
}

/** The number with its unit, such as `1.21 ×`. */
export function formatValue({ value, unit }: Finding): string {
  return `${formatNumber(value.median)} ${unit}`;
}

export function formatGoal({ goal, unit }: Finding): string {
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
  return from === to ? '' : `${formatNumber(from)} – ${formatNumber(to)}`;
}

/** Whether the goal is met, and by how much where that is a lot: such a goal can rise. */
function formatVerdict(finding: Finding): string {
  const { goal, value } = finding;
  if (goal === undefined) return '';
  if (!isMet(finding)) return '**missed**';
  const margin = 'atMost' in goal ? goal.atMost / value.median : value.median / goal.atLeast;
  return margin >= 1.5 && Number.isFinite(margin) ? `met, ${formatNumber(margin)} times over` : 'met';
}
