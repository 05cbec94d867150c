import { eventLoopTurns } from '../event-loop-turns.ts';
import type { Fault } from './fault.ts';

/** Returns the server's response with one kind of damage. */
export async function damagedAnswer(damage: Damage, answer: Response): Promise<Response> {
  const { status } = answer;
  if (damage === 'wrong-content-type') {
    const headers = Object.fromEntries(answer.headers);
    return new Response(answer.body, { status, headers: { ...headers, 'content-type': 'text/html; charset=utf-8' } });
  }
  return withChangedText(answer, (text) => damages[damage](text, status));
}

/** Returns the server's response with these fields in each memory. */
export async function answerWithFields(fields: Readonly<Record<string, unknown>>, answer: Response): Promise<Response> {
  if (answer.status !== 200) return answer;
  const changed = (memory: object) => ({ ...memory, ...fields });
  return withChangedText(answer, (text) => {
    const body = JSON.parse(text);
    return JSON.stringify(Array.isArray(body) ? body.map(changed) : changed(body));
  });
}

async function withChangedText(answer: Response, change: (text: string) => string): Promise<Response> {
  const { status, headers } = answer;
  const text = await answer.text();
  return new Response(text === '' ? null : change(text), { status, headers: Object.fromEntries(headers) });
}

type Damage = Extract<Fault, 'truncated-json' | 'wrong-content-type' | 'contract-violation'>;

const damages: Record<Exclude<Damage, 'wrong-content-type'>, (text: string, status: number) => string> = {
  'truncated-json': (text) => text.slice(0, Math.ceil(text.length / 2)),
  'contract-violation': (text, status) => JSON.stringify(violated(JSON.parse(text), status)),
};

/** Breaks the first memory of a list. An empty list becomes an object. */
function violated(body: unknown, status: number): unknown {
  if (status !== 200) return { error: true };
  if (!Array.isArray(body)) return withoutName(body);
  return body.length === 0 ? {} : [withoutName(body[0]), ...body.slice(1)];
}

function withoutName(memory: unknown): unknown {
  return { ...(memory as object), name: undefined, duration_seconds: 'five minutes' };
}

/** Returns the response, whose connection fails after half of the announced bytes. */
export function cutAnswer(answer: Response): Response {
  const { status, headers, body } = answer;
  if (body === null) return answer;
  const reader = body.getReader();
  let left = Math.floor(Number(headers.get('content-length')) / 2);
  const half = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (left > 0) {
        const { value = new Uint8Array() } = await reader.read();
        controller.enqueue(value.subarray(0, left));
        left = Math.max(0, left - value.byteLength);
        return;
      }
      // MSW would fail the whole response if its body failed at once.
      await eventLoopTurns(globalThis.MessageChannel);
      controller.error(cutError());
      await reader.cancel();
    },
    cancel: (reason) => reader.cancel(reason),
  });
  return new Response(half, { status, headers: Object.fromEntries(headers) });
}

function cutError(): TypeError {
  return new TypeError(
    'Failed to fetch from the mock: a scheduled fault cuts the body. Expect this error, or call faults.clear.',
  );
}
