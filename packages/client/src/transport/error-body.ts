import type { RequestIssue } from '../errors/invalid-request-error.ts';
import { isObject } from '../validation/shape.ts';
import { parseJson } from './parse-json.ts';

/** What could be read out of the body of an error. */
export interface ErrorBodyReading {
  /** What the server said, as one text. */
  readonly detail: string | undefined;
  /** The single issues of a FastAPI validation error. */
  readonly issues: readonly RequestIssue[];
  /** The `detail` of section 2.5 of the specification as it came: to compare, not to show. */
  readonly wireDetail?: string;
}

const MAXIMUM_DETAIL_LENGTH = 1000;
const MAXIMUM_ISSUES = 20;

/**
 * Reads any error body, whatever its label says: `{detail}`, FastAPI's list, plain text; HTML and all else say nothing.
 *
 * Every text that is kept goes through `redact` first.
 */
export function readErrorBody(text: string, redact: (text: string) => string): ErrorBodyReading {
  const clean = (value: string) => shorten(redact(value));
  const body = parseJson(text);
  if (body === undefined) return { detail: isPlainText(text) ? clean(text.trim()) : undefined, issues: [] };

  const detail = isObject(body) ? body.detail : undefined;
  if (typeof detail === 'string') return { detail: clean(detail), issues: [], wireDetail: detail };

  const listed = Array.isArray(detail) ? detail.slice(0, MAXIMUM_ISSUES) : [];
  const issues = listed.flatMap((issue) => readIssue(issue, clean));
  return { detail: issues.map(describeIssue).join('; ') || undefined, issues };
}

function readIssue(value: unknown, clean: (text: string) => string): RequestIssue[] {
  if (!isObject(value) || typeof value.msg !== 'string') return [];
  const location = Array.isArray(value.loc) ? value.loc : [];
  const path = location.flatMap((key) => {
    if (typeof key === 'string') return clean(key);
    return typeof key === 'number' ? key : [];
  });
  return [{ path, message: clean(value.msg), type: typeof value.type === 'string' ? clean(value.type) : undefined }];
}

function describeIssue({ path, message }: RequestIssue): string {
  return path.length === 0 ? message : `${path.join('.')}: ${message}`;
}

function isPlainText(text: string): boolean {
  return /^\s*[^<\s]/.test(text);
}

function shorten(text: string): string {
  return text.length > MAXIMUM_DETAIL_LENGTH ? `${text.slice(0, MAXIMUM_DETAIL_LENGTH)}…` : text;
}
