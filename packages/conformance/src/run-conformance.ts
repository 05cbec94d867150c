import { type ConformanceOptions, type Need, type Settings, toSettings } from './conformance-options.ts';
import type { ConformanceReport, Evidence, RuleResult } from './conformance-report.ts';
import { createReader, type Reader } from './reading/create-reader.ts';
import type { Rule } from './rules/rule.ts';
import { rulesOfProfile } from './rules/rules.ts';
import { createSession, type Session } from './session/create-session.ts';
import { SkippedError, UnansweredError } from './session/unanswered.ts';

/**
 * What a server makes of every rule of the specification: each passed, failed with evidence, or skipped with the reason.
 *
 * It only reads, makes fewer than 60 requests, one after the other, follows no redirect, and finds for itself which
 * memories serve which rule. One key is enough for most; the reasons of what was skipped say what else it needs. No
 * result holds a key or the query of a signed URL.
 *
 * @throws TypeError for options that cannot be used.
 * @throws The reason of `signal`, once it aborts.
 * @see Sections 1 to 9 of the specification.
 *
 * @example
 * ```ts
 * const report = await runConformance({ baseUrl: 'https://api.example.com', apiKey });
 * for (const { rule, title, status } of report.results) {
 *   if (status === 'failed') console.log(rule, title);
 * }
 * if (!report.passed) process.exitCode = 1;
 * ```
 */
export async function runConformance(options: ConformanceOptions): Promise<ConformanceReport> {
  const settings = toSettings(options);
  const session = createSession(settings);
  const reader = createReader(session);
  const results: RuleResult[] = [];
  for (const rule of rulesOfProfile(settings.profile)) {
    const result = await judge(rule, reader, { settings, session });
    settings.signal?.throwIfAborted();
    results.push(result);
    options.onResult?.(result);
  }
  const access = session.access();
  const statuses = new Set(results.map(({ status }) => status));
  const passed = access === 'granted' && statuses.has('passed') && !statuses.has('failed');
  const { baseUrl, profile } = settings;
  return { baseUrl, profile, passed, access, requests: session.requestCount(), results };
}

interface Run {
  settings: Settings;
  session: Session;
}

async function judge(rule: Rule, reader: Reader, { settings, session }: Run): Promise<RuleResult> {
  const { id, section, title } = rule;
  const missing = rule.needs.filter((need) => !isGiven(need, settings));
  if (missing.length > 0) {
    return { rule: id, section, title, status: 'skipped', reason: `needs ${missing.join(' and ')}` };
  }
  try {
    const evidence = await rule.check(reader);
    if (evidence === undefined) return { rule: id, section, title, status: 'passed' };
    return { rule: id, section, title, status: 'failed', evidence: redactEvidence(evidence, session) };
  } catch (error) {
    if (error instanceof SkippedError) {
      return { rule: id, section, title, status: 'skipped', reason: session.redactRequest(error.message) };
    }
    if (!(error instanceof UnansweredError)) throw error;
    const evidence = {
      sent: session.redactRequest(error.sent),
      received: `no answer: ${error.reason}`,
      expected: title,
    };
    return { rule: id, section, title, status: 'failed', evidence };
  }
}

function isGiven(need: Need, { keys, media }: Settings): boolean {
  return need === 'media' ? media : keys[need] !== undefined;
}

function redactEvidence({ sent, received, expected }: Evidence, { redact, redactRequest }: Session): Evidence {
  const short = (text: string) => redact(text).slice(0, maxQuoted);
  return { sent: redactRequest(sent), received: short(received), expected: short(expected) };
}

/** Headers can be very long. */
const maxQuoted = 1_000;
