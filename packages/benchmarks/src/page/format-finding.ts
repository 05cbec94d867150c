import { type Finding, isMet } from '../measurement/row.ts';

/** The number with its unit, such as `1.21 ×`. */
export function formatValue({ value, unit }: Finding): string {
  return `${formatNumber(value.median)} ${unit}`;
}

/** Where half of the rounds lie; nothing where the number is exact. */
export function formatSpread({ value: { lower, upper } }: Finding): string {
  return lower === upper ? '' : `${formatNumber(lower)} – ${formatNumber(upper)}`;
}

export function formatGoal({ goal, unit }: Finding): string {
  if (goal === undefined) return '';
  return 'atMost' in goal ? `≤ ${goal.atMost} ${unit}` : `≥ ${goal.atLeast} ${unit}`;
}

/** Whether the goal is met, and by how much where that is a lot: such a goal can rise. */
export function formatVerdict(finding: Finding): string {
  const { goal, value } = finding;
  const met = isMet(finding);
  if (goal === undefined || met === undefined) return '';
  if (!met) return '**missed**';
  const margin = 'atMost' in goal ? goal.atMost / value.median : value.median / goal.atLeast;
  return margin >= 1.5 && Number.isFinite(margin) ? `met, ${formatNumber(margin)} times over` : 'met';
}

/** Three significant digits, and no fraction from a hundred on. */
export function formatNumber(value: number): string {
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en');
  return String(Number(value.toPrecision(3)));
}
