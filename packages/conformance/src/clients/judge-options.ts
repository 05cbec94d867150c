import { longestTimer } from '@memory-read/contract/event-loop';
import { refuseNumber, refuseOptions } from '@memory-read/contract/options';
import type { JudgeRules } from './client-scenario.ts';
import type { JudgeResult } from './judge-report.ts';
import type { Scenario } from './scenarios/scenario.ts';
import { scenarios } from './scenarios/scenarios.ts';

/** Options of {@link judgeClient}. */
export interface JudgeOptions {
  /** Program and its arguments. No shell reads them. */
  command: readonly string[];
  /** Scenarios to run. `'reference'` adds recovery to `'safe'`. Default: `'safe'`. */
  rules?: JudgeRules | undefined;
  /** Ids and sections of the scenarios to run. Default: all of `rules`. */
  only?: readonly string[] | undefined;
  /** Ids of scenarios that are known to fail. They do not fail the run, but one that passes does. Default: none. */
  knownFailures?: readonly string[] | undefined;
  /** Limit for one run of the command, in milliseconds. Default: 20,000. */
  timeout?: number | undefined;
  /** Limit that the command sets for one attempt, in milliseconds. Default: 1,000. */
  attemptTimeout?: number | undefined;
  /** Number of commands that run in parallel. Default: 2. */
  concurrency?: number | undefined;
  /** Further variables of the command's environment. Default: none. */
  env?: Record<string, string> | undefined;
  /** Called with each result as soon as it is known, and with the number of scenarios of the run. Default: none. */
  onResult?: ((result: JudgeResult, total: number) => void) | undefined;
  /** Aborts the run, which ends all commands and rejects with the signal's reason. Default: none. */
  signal?: AbortSignal | undefined;
}

/** The validated options with their defaults. */
export interface JudgeSettings {
  command: readonly string[];
  rules: JudgeRules;
  selected: readonly Scenario[];
  known: ReadonlySet<string>;
  timeout: number;
  attemptTimeout: number;
  concurrency: number;
  env: Record<string, string>;
  onResult: JudgeOptions['onResult'];
  signal: AbortSignal | undefined;
}

const optionNames = [
  ...['command', 'rules', 'only', 'knownFailures', 'timeout', 'attemptTimeout', 'concurrency', 'env'],
  ...['onResult', 'signal'],
];

/** Validates the options. */
export function toSettings(options: JudgeOptions): JudgeSettings {
  const refused = refuseOptions(options, optionNames);
  if (refused) throw judgeError(refused.reason, refused.advice);
  const { command, rules = 'safe', only, knownFailures = [], env = {}, onResult, signal } = options;
  const { timeout = 20_000, attemptTimeout = 1_000, concurrency = 2 } = options;
  if (!isTextList(command) || !command[0]) throw judgeError('command is empty', 'Pass a program and its arguments');
  if (rules !== 'safe' && rules !== 'reference')
    throw judgeError('rules is not supported', "Pass 'safe' or 'reference'");
  for (const [name, value] of Object.entries({ timeout, attemptTimeout, concurrency })) {
    const outside = refuseNumber(name, value, [1, longestTimer]);
    if (outside) throw judgeError(outside.reason, outside.advice);
  }
  const selected = select(rules, only);
  for (const id of list('knownFailures', knownFailures)) {
    if (!scenarios.some((scenario) => scenario.id === id)) throw unknownScenario('knownFailures', id, 'an id');
  }
  const known = new Set(knownFailures);
  return { command, rules, selected, known, timeout, attemptTimeout, concurrency, env, onResult, signal };
}

function select(rules: JudgeRules, only: readonly string[] | undefined): Scenario[] {
  const ofRules = scenarios.filter(({ profile }) => rules === 'reference' || profile === 'safe');
  if (only === undefined) return ofRules;
  for (const name of list('only', only)) {
    if (!scenarios.some(({ id, section }) => id === name || section === name))
      throw unknownScenario('only', name, 'an id or a section');
  }
  const selected = ofRules.filter(({ id, section }) => only.includes(id) || only.includes(section));
  if (selected.length > 0) return selected;
  throw judgeError(`only selects no scenario of the profile ${rules}`, "Pass other ids, or rules: 'reference'");
}

function list(name: string, value: unknown): readonly string[] {
  if (isTextList(value)) return value;
  throw judgeError(`${name} is not a list of texts`, 'Pass an array of ids');
}

function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

function unknownScenario(name: string, id: string, what: string): TypeError {
  return judgeError(`${name} contains ${JSON.stringify(id)}, which does not exist`, `Pass ${what} of clientScenarios`);
}

function judgeError(problem: string, advice: string): TypeError {
  return new TypeError(`Failed to judge a client: ${problem}. ${advice}.`);
}
