import type { FinishedPurge } from './finish-purges.ts';

/** Purges that ended and were not reported yet. One that was interrupted is reported when it is requested again. */
export class PurgeReports {
  readonly #purges = new Map<string, FinishedPurge>();

  keep(purges: readonly FinishedPurge[]): void {
    for (const purge of purges) this.#purges.set(purge.purgeName, purge);
  }

  /** Returns the purge with this name once. */
  take(purgeName: string): FinishedPurge | undefined {
    const report = this.#purges.get(purgeName);
    this.#purges.delete(purgeName);
    return report;
  }
}
