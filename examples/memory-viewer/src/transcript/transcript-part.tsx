import { type MouseEvent, memo } from 'react';
import { formatPosition } from '../format/format-duration.ts';
import { formatRoute } from '../route.ts';
import { speakerName, type Turn, VOICE_COLORS } from './turn.ts';

interface TranscriptPartProps {
  memoryId: string;
  turns: readonly Turn[];
  /** Index of the line that is playing, or -1. */
  current: number;
  /** Index of the one line of all that the Tab key reaches, or -1. */
  tabStop: number;
  onJump: (milliseconds: number) => void;
}

export const TranscriptPart = memo(({ memoryId, turns, current, tabStop, onJump }: TranscriptPartProps) => (
  <ol className="part" style={{ containIntrinsicBlockSize: `auto ${linesOf(turns) * 48}px` }}>
    {turns.map(({ speaker, voice, first, lines }) => (
      <li key={first} className="turn" data-voice={voice % VOICE_COLORS}>
        <h3 dir="auto">{speakerName(speaker)}</h3>
        {lines.map(({ start, text, segment }, index) => (
          <a
            key={segment}
            className="line"
            href={formatRoute(memoryId, start)}
            data-line={first + index}
            aria-current={first + index === current ? 'true' : undefined}
            tabIndex={first + index === tabStop ? 0 : -1}
            onClick={(event) => onPlainClick(event, () => onJump(start))}
          >
            <span className="time">{formatPosition(start / 1000)}</span>
            <span dir="auto">{text.trim() === '' ? '…' : text}</span>
          </a>
        ))}
      </li>
    ))}
  </ol>
));

/** With a key held, a line opens elsewhere, as links do. */
function onPlainClick(event: MouseEvent, jump: () => void): void {
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  jump();
}

function linesOf(turns: readonly Turn[]): number {
  return turns.reduce((sum, { lines }) => sum + lines.length + 1, 0);
}
