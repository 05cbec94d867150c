import type { RequestIssue } from '../errors/errors.ts';
import { isObject } from '../validation/shape.ts';
import { parseJson } from './parse-json.ts';

/** The content of an error body. */
export interface ErrorBodyReading {
  /** The message of the server as one text. */
  readonly detail: string | undefined;
  /** The issues of a FastAPI validation error. */
  readonly issues: readonly RequestIssue[];
  /** The unredacted `detail` of section 2.5 of the specification: to compare, not to show. */
  readonly wireDetail?: string;
}

const MAXIMUM_DETAIL_LENGTH = 1000;
const MAXIMUM_ISSUES = 20;

/**
 * Reads any error body, whatever its content type: `{detail}`, FastAPI's list, or plain text. HTML and the rest are ignored.
 *
 * Every text passes through `redact`.
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
