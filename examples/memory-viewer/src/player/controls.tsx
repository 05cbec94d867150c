import type { Memory } from '@memory-read/client';
import { type CSSProperties, useState } from 'react';
import { formatPosition } from '../format/format-duration.ts';
import { Icon } from './icon.tsx';
import { type Playback, playableKinds } from './use-playback.ts';

interface ControlsProps {
  memory: Memory;
  playback: Playback;
  /** Null where there are none. */
  captions: { isOn: boolean; toggle: () => void } | null;
}

const speeds = [0.75, 1, 1.25, 1.5, 2];
const SKIP_SECONDS = 10;

/** Everything about the player that is pressed or moved; all of it by keyboard too. */
export function Controls({ memory, playback, captions }: ControlsProps) {
  const { isPlaying, seconds, kind, element } = playback;
  return (
    <div className="controls">
      <Position {...playback} />
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
          <button type="button" aria-label="Full screen" onClick={() => void element?.requestFullscreen()}>
            <Icon name="full" />
          </button>
        )}
      </div>
    </div>
  );
}

function Position({ seconds, length, move }: Pick<Playback, 'seconds' | 'length' | 'move'>) {
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
        onChange={({ target }) => move(Number(target.value))}
      />
      <span className="time">{formatPosition(length)}</span>
    </div>
  );
}

function Speed({ element }: Pick<Playback, 'element'>) {
  const [speed, setSpeed] = useState(1);
  const change = (value: number) => {
    setSpeed(value);
    if (element) element.playbackRate = value;
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
