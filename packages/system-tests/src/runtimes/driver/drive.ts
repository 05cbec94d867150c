import { isMemoryApiError } from '@memory-read/client';
// @ts-expect-error It is JavaScript, because projects of users run it too.
import { clientForms } from '../../packages/consumers/client-forms.mjs';
// @ts-expect-error It is JavaScript, because projects of users run it too.
import { smoke } from '../../packages/consumers/smoke.mjs';
import type { DriverInput, DriverReport, OpenClient } from './driver-input.ts';
import { findLeaks } from './find-leaks.ts';
import { createOtherErrors } from './other-errors.ts';
import { runFaults } from './run-faults.ts';

/** Runs all checks in this runtime, logs everything that a program could log, and returns a report. */
export async function drive(input: DriverInput): Promise<DriverReport> {
  const openClient: OpenClient = clientForms[input.form];
  const { reports, logged } = await runFaults(input, openClient);
  const errors = await createOtherErrors(openClient);
  logged.push(...errors);
  for (const [title, value] of logged) console.log(title, value);
  console.log('all at once', { values: logged });
  const leaks = logged.flatMap(([title, value]) => findLeaks(value).map((view) => `${title} in ${view}`));
  return {
    runtime: nameOfRuntime(),
    faults: reports,
    errors: errors.map(([code, error]) => [code, codeOf(error), codeOf((error as Error).cause)]),
    smoke: { ...(await smoke(openClient)), environment: await readEnvironment(openClient) },
    leaks,
    searched: logged.length,
  };
}

function codeOf(error: unknown): string | undefined {
  return isMemoryApiError(error) ? error.code : undefined;
}

/** The base URL and the key come from the environment, if there is one. */
async function readEnvironment(openClient: OpenClient): Promise<unknown> {
  const sent: Record<string, unknown> = {};
  try {
    const fetch = async ({ url, headers }: Request) => {
      Object.assign(sent, { url, scheme: headers.get('authorization')?.split(' ')[0] });
      return Response.json([]);
    };
    await openClient({ fetch }).calls.listMemories();
    return sent;
  } catch (error) {
    return String(error);
  }
}

interface Naming {
  readonly Bun?: { version: string };
  readonly Deno?: { version: { deno: string } };
  readonly process?: { version: string };
}

function nameOfRuntime(): string {
  const { Bun, Deno, process } = globalThis as Naming;
  if (Bun) return `Bun ${Bun.version}`;
  if (Deno) return `Deno ${Deno.version.deno}`;
  return process ? `Node ${process.version.slice(1)}` : navigator.userAgent;
}
