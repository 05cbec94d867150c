import { type MediaUrl, type Memory, mediaExpiresAt } from '@memory-read/client';

/** What the player can play. */
export type PlayableKind = 'video' | 'audio';

/** A URL, and until when it works by this machine's clock, where that is known. */
export interface MediaSource extends Pick<MediaUrl, 'url'> {
  expiresAt: Date | undefined;
}

const MARGIN_MS = 10_000;

/** The kinds that a memory has; the first is played unless the other is chosen. */
export function playableKinds(memory: Memory): PlayableKind[] {
  return (['video', 'audio'] as const).filter((kind) => memory[`${kind}_url`] !== null);
}

export function mediaSource(memory: Memory, kind: PlayableKind): MediaSource | null {
  const url = memory[`${kind}_url`];
  return url === null ? null : { url, expiresAt: mediaExpiresAt(memory) };
}

/** Whether the URL may not last for the next request of the player. */
export function isExpiring({ expiresAt }: MediaSource, now: number): boolean {
  return expiresAt !== undefined && expiresAt.getTime() - now < MARGIN_MS;
}
