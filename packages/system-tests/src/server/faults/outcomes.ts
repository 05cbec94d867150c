import { problems } from '@memory-read/contract/operations';
import { expect } from 'vitest';
import type { Outcome } from './load.ts';
import { memoryCount } from './postgres-service.ts';

const failed = { status: 500, body: JSON.stringify({ detail: problems['internal-server-error'].detail }) };

/** Returns the kinds of the outcomes, each once and in order. */
export function statuses(outcomes: Outcome[]): string[] {
  return [...new Set(outcomes.map((outcome) => (typeof outcome === 'string' ? outcome : `${outcome.status}`)))].sort();
}

/** Expects that every response is complete and correct, or a clean failure. */
export function assertTrue(outcome: Outcome): void {
  if (typeof outcome === 'string') return;
  if (outcome.status !== 200) {
    expect(outcome).toEqual(failed);
    return;
  }
  const answer = JSON.parse(outcome.body);
  if (Array.isArray(answer)) expect(new Set(answer.map(({ id }) => id)).size).toBe(memoryCount);
  else expect(answer).toMatchObject({ id: 'mem_000001', user_id: 'ada' });
}
