import { type ConformanceOptions, type Need, type Settings, toSettings } from './conformance-options.ts';
import type { ConformanceReport, Evidence, RuleResult } from './conformance-report.ts';
import { createReader, type Reader } from './reading/create-reader.ts';
import { createLabels } from './report/create-labels.ts';
import type { Rule } from './rules/rule.ts';
import { rulesOfProfile } from './rules/rules.ts';
import { createSession, type Session } from './session/create-session.ts';
import { isSkipped, isUnanswered } from './session/unanswered.ts';

/**
 * Checks a server against every rule of the specification. Each rule passes, fails with evidence or is skipped with a
 * reason.
 *
 * The run only reads. It sends fewer than 60 requests, one after the other, and follows no redirect. It selects the
 * memories for each rule itself. One API key is enough for most rules. The reason of a skipped rule names the option
 * that it needs. No result contains an API key or the query of a signed URL.
 *
 * @throws TypeError if an option is invalid.
 * @throws The reason of `signal` if it aborts.
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
  const { label, labelReason, labelRequest } = createLabels(settings.keyLabels);
  const missing = rule.needs.filter((need) => !isGiven(need, settings));
  if (missing.length > 0) {
    return { rule: id, section, title, status: 'skipped', reason: `needs ${missing.map(label).join(' and ')}` };
  }
  try {
    const evidence = await rule.check(reader);
    if (evidence === undefined) return { rule: id, section, title, status: 'passed' };
    const { sent, ...rest } = redactEvidence(evidence, session);
    return { rule: id, section, title, status: 'failed', evidence: { sent: labelRequest(sent), ...rest } };
  } catch (error) {
    if (isSkipped(error)) {
      return { rule: id, section, title, status: 'skipped', reason: labelReason(session.redactRequest(error.message)) };
    }
    if (!isUnanswered(error)) throw error;
    const evidence = {
      sent: labelRequest(session.redactRequest(error.sent)),
      received: `no response: ${error.reason}`,
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

/** Maximum length of quoted headers, in characters. Headers can be very long. */
const maxQuoted = 1_000;
