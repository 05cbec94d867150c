import type { Need } from '../conformance-options.ts';
import type { Evidence } from '../conformance-report.ts';
import type { Profile } from '../profile.ts';
import type { Reader, ReadMemory } from '../reading/create-reader.ts';
import type { Answer } from '../session/answer.ts';

/** Description of a rule of {@link conformanceRules}. */
export interface RuleDescription {
  /** Statement that the rule checks, such as `4.1.2`. If several rules check it, an aspect follows: `5.4 missing`. */
  readonly id: string;
  /** Section of the specification, such as `4.1`. */
  readonly section: string;
  /** Name of the rule, as a sentence. */
  readonly title: string;
  /** Statements of the specification that the rule checks. It is empty in the profile `reference`. */
  readonly statements: readonly string[];
  /** Profile that the rule belongs to. */
  readonly profile: Profile;
  /** Options that the rule needs in addition to `apiKey`. */
  readonly needs: readonly Need[];
}

/** A rule and its check, which returns evidence if the rule is broken. */
export interface Rule extends RuleDescription {
  /**
   * Checks the rule.
   *
   * @throws SkippedError if the rule cannot be checked.
   * @throws UnansweredError if a request of the rule gets no response: the rule is broken.
   */
  readonly check: (reader: Reader) => Promise<Evidence | undefined>;
}

/** A row of the files of this folder. Its statement is its id by default. */
export interface RuleRow {
  id: string;
  title: string;
  statements?: readonly string[];
  needs?: readonly Need[];
  check: Rule['check'];
}

/** The rules of one section of the specification. */
export function rulesOf(section: string, rows: readonly RuleRow[]): Rule[] {
  return rows.map((row) => ({ statements: [row.id], needs: [], profile: 'specification', section, ...row }));
}

/** Returns the evidence of a wrong response. */
export function evidence(answer: Answer, expected: string, received: string = answer.summary): Evidence {
  return { sent: answer.sent, received, expected };
}

/** A violation in one memory. */
export interface Finding {
  at: ReadMemory;
  text: string;
}

/** Returns the evidence of at most three findings, all from the response with the first one. */
export function evidenceOf(findings: readonly Finding[], expected: string): Evidence | undefined {
  const [first] = findings;
  if (first === undefined) return undefined;
  const shown = findings
    .filter(({ at }) => at.answer === first.at.answer)
    .slice(0, 3)
    .map(({ at, text }) => `${at.place}${text}`);
  const rest = findings.length > shown.length ? [`and ${findings.length - shown.length} more`] : [];
  return evidence(first.at.answer, expected, [...shown, ...rest].join('; '));
}
