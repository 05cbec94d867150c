import type { Fault } from './fault.ts';

/** Returns the server's response with one kind of damage. */
export async function damagedAnswer(damage: Damage, answer: Response): Promise<Response> {
  const text = await answer.text();
  const { status } = answer;
  const headers = Object.fromEntries(answer.headers);
  if (damage === 'wrong-content-type') headers['content-type'] = 'text/html; charset=utf-8';
  return new Response(text === '' ? null : damages[damage](text, status), { status, headers });
}

type Damage = Extract<Fault, 'truncated-json' | 'wrong-content-type' | 'contract-violation'>;

const damages: Record<Damage, (text: string, status: number) => string> = {
  'truncated-json': (text) => text.slice(0, Math.ceil(text.length / 2)),
  'wrong-content-type': (text) => text,
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
