import type { Need } from '../conformance-options.ts';
import type { Evidence } from '../conformance-report.ts';
import type { Profile } from '../profile.ts';
import type { Reader, ReadMemory } from '../reading/create-reader.ts';
import type { Answer } from '../session/answer.ts';

/** One rule, for people. */
export interface RuleDescription {
  /** The statement it holds, followed by the aspect where several rules hold one: `4.1.2`, `5.4 missing`. */
  readonly id: string;
  /** Section of the specification. */
  readonly section: string;
  readonly title: string;
  /** The statements of the specification that it holds; none of the profile `reference`. */
  readonly statements: readonly string[];
  readonly profile: Profile;
  /** What it needs beside the one key. */
  readonly needs: readonly Need[];
}

/** A rule and how it is checked: the check gives evidence when the rule is broken. */
export interface Rule extends RuleDescription {
  /**
   * @throws SkippedError when it cannot tell.
   * @throws UnansweredError when a request that the rule is about got no answer: the rule is broken.
   */
  readonly check: (reader: Reader) => Promise<Evidence | undefined>;
}

/** A rule as the files of this folder write it; its statement is its id unless it says otherwise. */
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

/** What an answer breaks. */
export function evidence(answer: Answer, expected: string, received: string = answer.summary): Evidence {
  return { sent: answer.sent, received, expected };
}

/** Something that is wrong with one memory. */
export interface Finding {
  at: ReadMemory;
  text: string;
}

/** Returns the evidence of the findings. It shows at most three, of the answer that has the first one. */
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
