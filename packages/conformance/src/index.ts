/**
 * Checks any server against every rule of the specification of the Memory Read API.
 *
 * @packageDocumentation
 */

// Run

export type { ConformanceOptions, KeyName, Need } from './conformance-options.ts';
export type { Profile } from './profile.ts';
export { runConformance } from './run-conformance.ts';

// Report

export type {
  ConformanceReport,
  Evidence,
  FailedRule,
  PassedRule,
  RuleResult,
  SkippedRule,
} from './conformance-report.ts';
export { formatReport, type ReportFormat } from './report/format-report.ts';

// Rules, and statements that cannot be checked

export { conformanceRules } from './rules/conformance-rules.ts';
export type { RuleDescription } from './rules/rule.ts';
export { type UncheckableStatement, uncheckableStatements } from './rules/uncheckable.ts';
