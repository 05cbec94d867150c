import type { Memory } from '@memory-read/client';
import { type CSSProperties, type RefObject, useState } from 'react';
import { formatPosition } from '../format/format-duration.ts';
import { Icon } from './icon.tsx';
import type { MediaPlayback, PlaybackState } from './media-playback.ts';
import { playableKinds } from './media-source.ts';

interface ControlsProps {
  memory: Memory;
  playback: MediaPlayback;
  state: PlaybackState;
  element: RefObject<HTMLVideoElement | null>;
  /** Null where there are none. */
  captions: { isOn: boolean; toggle: () => void } | null;
}

const speeds = [0.75, 1, 1.25, 1.5, 2];
const SKIP_SECONDS = 10;

/** Everything about the player that is pressed or moved; all of it by keyboard too. */
export function Controls({ memory, playback, state, element, captions }: ControlsProps) {
  const { isPlaying, seconds, kind } = state;
  return (
    <div className="controls">
      <Position state={state} onMove={playback.move} />
      <div className="buttons">
        <button type="button" className="play" aria-label={isPlaying ? 'Pause' : 'Play'} onClick={playback.toggle}>
          <Icon name={isPlaying ? 'pause' : 'play'} />
        </button>
        <button
          type="button"
          aria-label={`Back ${SKIP_SECONDS} seconds`}
          onClick={() => playback.move(Math.max(0, seconds - SKIP_SECONDS))}
        >
          <Icon name="back" />
        </button>
        <span className="spacer" />
        <Speed element={element} />
        {captions !== null && (
          <button type="button" aria-label="Captions" aria-pressed={captions.isOn} onClick={captions.toggle}>
            <Icon name="captions" />
          </button>
        )}
        {playableKinds(memory).length > 1 && (
          <button
            type="button"
            aria-label="Sound only"
            aria-pressed={kind === 'audio'}
            onClick={() => playback.choose(kind === 'audio' ? 'video' : 'audio')}
          >
            <Icon name="sound" />
          </button>
        )}
        {kind === 'video' && (
          <button type="button" aria-label="Full screen" onClick={() => void element.current?.requestFullscreen()}>
            <Icon name="full" />
          </button>
        )}
      </div>
    </div>
  );
}

function Position({ state: { seconds, length }, onMove }: { state: PlaybackState; onMove: (seconds: number) => void }) {
  const share = length > 0 ? Math.min(1, seconds / length) : 0;
  return (
    <div className="position">
      <span className="time">{formatPosition(seconds)}</span>
      <input
        type="range"
        aria-label="Position"
        aria-valuetext={`${formatPosition(seconds)} of ${formatPosition(length)}`}
        min={0}
        max={length}
        step={0.1}
        value={Math.min(seconds, length)}
        style={{ '--share': `${share * 100}%` } as CSSProperties}
        onChange={({ target }) => onMove(Number(target.value))}
      />
      <span className="time">{formatPosition(length)}</span>
    </div>
  );
}

function Speed({ element }: Pick<ControlsProps, 'element'>) {
  const [speed, setSpeed] = useState(1);
  const change = (value: number) => {
    setSpeed(value);
    // When the URL is renewed, the player starts again with its default speed.
    if (element.current) Object.assign(element.current, { defaultPlaybackRate: value, playbackRate: value });
  };
  return (
    <select aria-label="Speed" value={speed} onChange={({ target }) => change(Number(target.value))}>
      {speeds.map((value) => (
        <option key={value} value={value}>
          {value}×
        </option>
      ))}
    </select>
  );
}
