import { quietly } from '@memory-read/contract/event-loop';

/** Cancels a body or its reader. Nothing waits for the result: some runtimes never report it, and some readers throw. */
export function cancelBody(body: { cancel(): unknown } | null | undefined): void {
  quietly(() => body?.cancel());
}
