import type { Memory } from '@memory-read/client';
import { createCueIndex } from '@memory-read/client/playback';
import { normalizeTranscript } from '@memory-read/client/transcript';
import { useEffect, useMemo } from 'react';
import { formatDay, formatTime } from '../format/format-date.ts';
import { formatDuration } from '../format/format-duration.ts';
import { memoryName } from '../format/memory-name.ts';
import { Player } from '../player/player.tsx';
import { usePlayback } from '../player/use-playback.ts';
import { Problem } from '../problem/problem.tsx';
import { Transcript } from '../transcript/transcript.tsx';
import { SummaryCard } from './summary-card.tsx';
import { useMemory } from './use-memory.ts';

/** A memory to watch, to hear and to read. */
export function MemoryPage({ memoryId, at }: { memoryId: string; at: number | null }) {
  const { memory, error, retry } = useMemory(memoryId);
  return (
    <article className="memory" aria-busy={memory === null && error === null}>
      <a className="back" href="#/">
        All memories
      </a>
      {memory === null && <h1 className="unseen">Memory</h1>}
      {error !== null && <Problem error={error} onRetry={retry} />}
      {memory === null && error === null && <PageSkeleton />}
      {memory !== null && <MemoryContent memory={memory} at={at} />}
    </article>
  );
}

function MemoryContent({ memory, at }: { memory: Memory; at: number | null }) {
  const playback = usePlayback(memory, at);
  const { cues } = useMemo(() => normalizeTranscript(memory), [memory]);
  const index = useMemo(() => createCueIndex(cues), [cues]);
  useTitle(memoryName(memory));
  return (
    <>
      <header className="memory-header">
        <p className="facts">
          <time dateTime={memory.started_at}>
            {formatDay(memory.started_at)}, {formatTime(memory.started_at)}
          </time>
          <span>{formatDuration(memory.duration_seconds)}</span>
        </p>
        <h1 dir="auto">{memoryName(memory)}</h1>
      </header>
      <div className="columns">
        <div className="recording">
          <Player memory={memory} playback={playback} />
          {memory.is_processing && <ProcessingNote />}
          {memory.summary !== null && <SummaryCard summary={memory.summary} />}
        </div>
        <Transcript
          memory={memory}
          cues={cues}
          current={index.lastAt(playback.seconds)}
          isPlaying={playback.isPlaying}
          onJump={playback.jump}
        />
      </div>
    </>
  );
}

function ProcessingNote() {
  return (
    <p className="processing">
      <span className="pulse" aria-hidden="true" />
      Transcript and summary are being made. They show up here by themselves.
    </p>
  );
}

function PageSkeleton() {
  return (
    <div className="skeleton" role="status">
      <span className="unseen">Loading the memory</span>
      <div className="skeleton-title" aria-hidden="true" />
      <div className="skeleton-stage" aria-hidden="true" />
    </div>
  );
}

function useTitle(name: string): void {
  useEffect(() => {
    const { title } = document;
    document.title = `${name} · Memories`;
    return () => {
      document.title = title;
    };
  }, [name]);
}
