import type { Memory } from '@memory-read/client';
import { useEffect, useState } from 'react';
import { Problem } from '../problem/problem.tsx';
import { Controls } from './controls.tsx';
import { Icon } from './icon.tsx';
import { useCaptions } from './use-captions.ts';
import type { Playback } from './use-playback.ts';

export interface PlayerProps {
  memory: Memory;
  playback: Playback;
}

/** The recording with its captions; sound alone is shown on a stage as well, because captions need one. */
export function Player(props: PlayerProps) {
  if (props.playback.kind === null) return <p className="no-recording">There is no recording to play.</p>;
  return (
    <section className="player" aria-label="Player" data-kind={props.playback.kind}>
      <Recording {...props} />
    </section>
  );
}

function Recording({ memory, playback }: PlayerProps) {
  const { element, kind, error } = playback;
  const [hasCaptions, setHasCaptions] = useState(true);
  const captions = useCaptions(memory);

  useEffect(() => {
    const track = element?.textTracks?.[0];
    if (track && captions !== null) track.mode = hasCaptions ? 'showing' : 'hidden';
  }, [element, captions, hasCaptions]);

  return (
    <>
      <div className="stage">
        {kind === 'audio' && memory.preview_image_url === null && <Icon name="sound" />}
        {/* biome-ignore lint/a11y/useMediaCaption: there is a track as soon as there is something to show on it. */}
        <video
          ref={playback.attach}
          poster={memory.preview_image_url ?? undefined}
          preload="metadata"
          playsInline
          aria-label="Recording"
          onClick={playback.toggle}
        >
          {captions !== null && <track kind="captions" src={captions} label="Transcript" default />}
        </video>
        {error !== null && <Problem error={error} onRetry={playback.retry} />}
      </div>
      <Controls
        memory={memory}
        playback={playback}
        captions={captions === null ? null : { isOn: hasCaptions, toggle: () => setHasCaptions(!hasCaptions) }}
      />
    </>
  );
}
