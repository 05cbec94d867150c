import type { Memory } from '@memory-read/client';
import { useEffect, useRef, useState } from 'react';
import { Problem } from '../problem/problem.tsx';
import { Controls } from './controls.tsx';
import { Icon } from './icon.tsx';
import type { MediaPlayback, PlaybackState } from './media-playback.ts';
import { useCaptions } from './use-captions.ts';

export interface PlayerProps {
  memory: Memory;
  playback: MediaPlayback;
  state: PlaybackState;
}

/** The recording with its captions; sound alone is shown on a stage as well, because captions need one. */
export function Player(props: PlayerProps) {
  if (props.state.kind === null) return <p className="no-recording">There is no recording to play.</p>;
  return (
    <section className="player" aria-label="Player" data-kind={props.state.kind}>
      <Recording {...props} />
    </section>
  );
}

function Recording({ memory, playback, state }: PlayerProps) {
  const element = useRef<HTMLVideoElement>(null);
  const [hasCaptions, setHasCaptions] = useState(true);
  const captions = useCaptions(memory);

  useEffect(() => (element.current ? playback.attach(element.current) : undefined), [playback]);

  useEffect(() => {
    const track = element.current?.textTracks?.[0];
    if (track && captions !== null) track.mode = hasCaptions ? 'showing' : 'hidden';
  }, [captions, hasCaptions]);

  return (
    <>
      <div className="stage">
        {state.kind === 'audio' && memory.preview_image_url === null && <Icon name="sound" />}
        {/* biome-ignore lint/a11y/useMediaCaption: there is a track as soon as there is something to show on it. */}
        <video
          ref={element}
          poster={memory.preview_image_url ?? undefined}
          preload="metadata"
          playsInline
          aria-label="Recording"
          onClick={playback.toggle}
        >
          {captions !== null && <track kind="captions" src={captions} label="Transcript" default />}
        </video>
        {state.error !== null && <Problem error={state.error} onRetry={playback.retry} />}
      </div>
      <Controls
        memory={memory}
        playback={playback}
        state={state}
        element={element}
        captions={captions === null ? null : { isOn: hasCaptions, toggle: () => setHasCaptions(!hasCaptions) }}
      />
    </>
  );
}
