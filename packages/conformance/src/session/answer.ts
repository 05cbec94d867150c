import { TooMuchError } from './unanswered.ts';

/** The response to one request. */
export interface Answer {
  /** Request, for evidence. Keys are replaced by their names. */
  sent: string;
  status: number;
  headers: Headers;
  /** Parsed body, or undefined if it is not JSON. */
  json: unknown;
  /** Whether the response has no body. */
  isEmpty: boolean;
  /** Status, content type and the beginning of an error's body, without secrets. */
  summary: string;
}

/**
 * Returns a response with its body.
 *
 * @throws TooMuchError if the body is JSON with too many parts for the memory of the process.
 */
export function toAnswer(sent: string, response: Response, text: string, redact: (text: string) => string): Answer {
  const json = parseJson(text);
  const contentType = response.headers.get('content-type');
  return {
    sent,
    status: response.status,
    headers: response.headers,
    json,
    isEmpty: text === '',
    summary: [
      response.status,
      contentType === null ? 'without content type' : redact(contentType).slice(0, 100),
      describeBody(response.status, text, json, redact),
    ]
      .filter((part) => part !== '')
      .join(', '),
  };
}

function parseJson(text: string): unknown {
  if (text.length > 2 * maxParts && countParts(text) > maxParts) {
    throw new TooMuchError(`its body has more than ${maxParts / 1_000_000} million arrays and objects`);
  }
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Maximum number of arrays and objects. Half a million memories have fewer. */
const maxParts = 2_000_000;

/** Counts brackets. Those in texts count too, which is precise enough. */
function countParts(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === openBrace || code === openBracket) count += 1;
  }
  return count;
}

const [openBrace, openBracket] = [0x7b, 0x5b];

/** Maximum length of a quoted body. Formatting a longer, deeply nested one could exceed the stack. */
const maxQuoted = 4_000;

/** Describes a body. Only errors are quoted, because memories are private. */
function describeBody(status: number, text: string, json: unknown, redact: (text: string) => string): string {
  if (text === '') return 'no body';
  if (status >= 400) {
    if (text.length > maxQuoted) return `an error of ${text.length} characters`;
    // Escapes could hide a key from the redaction.
    return redact(json === undefined ? text : JSON.stringify(json)).slice(0, 200);
  }
  if (json === undefined) return 'a body that is not valid JSON';
  if (Array.isArray(json)) return `an array of ${json.length}`;
  return json === null ? 'null' : `a JSON ${typeof json}`;
}
