import { ControlError } from './control-error.ts';

const MAX_BYTES = 16 * 1024 * 1024;
/** Deeper than any value of the mock. JSON.stringify and messages need a call for each level. */
const MAX_DEPTH = 100;

/**
 * Returns the JSON body of a request; an empty object if it has none.
 *
 * @throws ControlError with the status 400, 413, 415 or 422.
 */
export async function readJsonBody(request: Request): Promise<unknown> {
  const { headers, method } = request;
  // Runtimes do not show the body of a GET.
  if (method === 'GET' && (Number(headers.get('content-length')) > 0 || headers.has('transfer-encoding'))) {
    throw refusal(422, 'a GET request must not have a body', 'Use the query, or another method');
  }
  const bytes = await readBytes(request);
  if (bytes.length === 0) return {};
  const [type = ''] = (headers.get('content-type') ?? '').split(';');
  if (type.trim().toLowerCase() !== 'application/json') {
    throw refusal(415, 'it is not application/json', 'Send JSON with Content-Type: application/json');
  }
  const value = parse(bytes);
  assertPlain(value);
  return value;
}

async function readBytes({ body }: Request): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > MAX_BYTES) throw refusal(413, 'it has more than 16 MiB', 'Send less at once');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw refusal(400, 'it is not valid JSON', 'Send one JSON object in UTF-8');
  }
}

/** Refuses what a value in process cannot be: one that is too deep for JSON.stringify, and 1e999, which is read as Infinity. */
function assertPlain(value: unknown): void {
  let level = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) throw refusal(422, `it has more than ${MAX_DEPTH} levels`, 'Send a flatter value');
    if (level.some((each) => each === Number.POSITIVE_INFINITY || each === Number.NEGATIVE_INFINITY)) {
      throw refusal(422, 'a number in it is too large', 'Send a smaller one');
    }
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []));
  }
}

function refusal(status: number, problem: string, advice: string): ControlError {
  return new ControlError(status, `Failed to read the body: ${problem}. ${advice}.`);
}
