/**
 * Judges clients of the Memory Read API in any language: a command is run against a mock server with faults. It needs
 * Node.
 *
 * @packageDocumentation
 */

// Run

export { judgeClient } from './judge-client.ts';
export type { JudgeOptions } from './judge-options.ts';

// Report

export type { ReportFormat } from '../report/format-with.ts';
export { formatJudgeReport } from './format-judge-report.ts';
export type { JudgeEvidence, JudgeReport, JudgeResult } from './judge-report.ts';

// Scenarios

export type { ClientScenario, JudgedOperation, JudgeRules } from './client-scenario.ts';
export { clientScenarios } from './client-scenarios.ts';
