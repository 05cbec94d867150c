import type { Memory } from '@memory-read/client';
import { speakers } from '@memory-read/client/transcript';
import { useMemo } from 'react';
import { speakerName, VOICE_COLORS } from './turn.ts';

/** Number of speakers that are named. */
const MOST_NAMED = 6;

/** Who speaks how much, as a bar and in words. Its colors are those of the transcript. */
export function SpeakerShares({ memory }: { memory: Memory }) {
  const all = useMemo(() => speakers(memory), [memory]);
  const total = all.reduce((sum, { duration }) => sum + duration, 0);
  if (all.length < 2 || total === 0) return null;
  const named = all.slice(0, MOST_NAMED);
  return (
    <div className="shares">
      <div className="share-bar" aria-hidden="true">
        {named.map(({ speaker, duration }, voice) => (
          <span key={speaker} data-voice={voice % VOICE_COLORS} style={{ flexGrow: duration / total }} />
        ))}
      </div>
      <ul aria-label="Share of the speech">
        {named.map(({ speaker, duration }, voice) => (
          <li key={speaker} data-voice={voice % VOICE_COLORS}>
            <bdi>{speakerName(speaker)}</bdi> {Math.round((100 * duration) / total)} %
          </li>
        ))}
        {all.length > MOST_NAMED && <li>and {all.length - MOST_NAMED} more</li>}
      </ul>
    </div>
  );
}
