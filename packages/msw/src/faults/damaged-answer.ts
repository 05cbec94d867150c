import { eventLoopTurns } from '../node/event-loop-turns.ts';
import type { Fault } from './fault.ts';

/** Returns the server's response with one kind of damage. */
export async function damagedAnswer(damage: Damage, answer: Response): Promise<Response> {
  const { status } = answer;
  const headers = Object.fromEntries(answer.headers);
  if (damage === 'wrong-content-type') headers['content-type'] = 'text/html; charset=utf-8';
  const body =
    damage === 'wrong-content-type' ? await answer.arrayBuffer() : damaged(damage, await answer.text(), status);
  return new Response(answer.body && body, { status, headers });
}

type Damage = Extract<Fault, 'truncated-json' | 'wrong-content-type' | 'contract-violation'>;

function damaged(damage: 'truncated-json' | 'contract-violation', text: string, status: number): string {
  if (damage === 'truncated-json') return text.slice(0, Math.ceil(text.length / 2));
  return text && JSON.stringify(violated(JSON.parse(text), status));
}

/** Breaks the first memory of a list. An empty list becomes an object. */
function violated(body: unknown, status: number): unknown {
  if (status !== 200) return { error: true };
  if (!Array.isArray(body)) return withoutName(body);
  return body.length === 0 ? {} : [withoutName(body[0]), ...body.slice(1)];
}

function withoutName(memory: unknown): unknown {
  return { ...(memory as object), name: undefined, duration_seconds: 'five minutes' };
}

/** Returns the response, whose connection fails after half of the body. The length of the whole body is announced. */
export async function cutAnswer(answer: Response): Promise<Response> {
  const { status, headers } = answer;
  if (answer.body === null) return answer;
  const bytes = new Uint8Array(await answer.arrayBuffer());
  const half = bytes.subarray(0, Math.floor(bytes.length / 2));
  let isSent = false;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (isSent) {
        // MSW would fail the whole response if its body failed at once.
        await eventLoopTurns();
        controller.error(cutError());
      } else controller.enqueue(half);
      isSent = true;
    },
  });
  return new Response(body, { status, headers: Object.fromEntries(headers) });
}

function cutError(): TypeError {
  return new TypeError(
    'Failed to fetch from the mock: a scheduled fault cuts the body. Expect this error, or call faults.clear.',
  );
}
