import type { Memory } from '@memory-read/client';
import type { Cue } from '@memory-read/client/transcript';
import { memo, useCallback, useMemo, useRef } from 'react';
import { SpeakerShares } from './speaker-shares.tsx';
import { TranscriptPart } from './transcript-part.tsx';
import { toParts, toTurns } from './turn.ts';
import { useFollowing } from './use-following.ts';
import { useLineKeys } from './use-line-keys.ts';

export interface TranscriptProps {
  memory: Memory;
  cues: readonly Cue[];
  /** Index of the cue that is playing; -1 before the first. */
  current: number;
  isPlaying: boolean;
  /** Plays from these seconds on. */
  onJump: (seconds: number) => void;
}

/** What was said, by speakers; every line leads to its moment. */
export const Transcript = memo(({ memory, cues, current, isPlaying, onJump }: TranscriptProps) => {
  const parts = useMemo(() => toParts(toTurns(cues)), [cues]);
  const scroller = useRef<HTMLDivElement>(null);
  const { isFollowing, follow, leave } = useFollowing(scroller, { current, isPlaying });
  const onKeyDown = useLineKeys(scroller);
  const jump = useCallback(
    (milliseconds: number) => {
      follow();
      onJump(milliseconds / 1000);
    },
    [follow, onJump],
  );

  if (cues.length === 0) return memory.is_processing ? null : <NothingSaid />;
  return (
    <section className="transcript" aria-labelledby="transcript">
      <h2 id="transcript">Transcript</h2>
      <SpeakerShares memory={memory} />
      {/* A press on the scroller itself is one on its bar. */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the lines within are links; this element handles their keys. */}
      <div
        className="scroller"
        ref={scroller}
        onKeyDown={onKeyDown}
        onPointerDown={(event) => void (event.target === event.currentTarget && leave())}
      >
        {parts.map((turns) => (
          <TranscriptPart
            key={turns[0]?.first}
            memoryId={memory.id}
            turns={turns}
            current={lineWithin(turns, current)}
            tabStop={lineWithin(turns, Math.max(0, current))}
            onJump={jump}
          />
        ))}
      </div>
      {!isFollowing && current >= 0 && (
        <button type="button" className="button follow" onClick={follow}>
          Back to the current line
        </button>
      )}
    </section>
  );
});

function NothingSaid() {
  return (
    <section className="transcript" aria-labelledby="transcript">
      <h2 id="transcript">Transcript</h2>
      <p className="nothing">Nothing was said in this memory.</p>
    </section>
  );
}

/** The index, where it is one of these turns; so a part is only drawn again when it gains or loses the current line. */
function lineWithin(turns: readonly { first: number; lines: readonly Cue[] }[], line: number): number {
  const begin = turns[0]?.first ?? 0;
  const last = turns.at(-1);
  return line >= begin && last && line < last.first + last.lines.length ? line : -1;
}
