import type { ListedMemory } from '@memory-read/client';
import { memo } from 'react';
import { formatTime } from '../format/format-date.ts';
import { formatDuration } from '../format/format-duration.ts';
import { memoryName } from '../format/memory-name.ts';
import { formatRoute } from '../route.ts';
import { PreviewImage } from './preview-image.tsx';

/** A memory in the list: what it is, when it was and whether it can be read already. */
export const MemoryCard = memo(({ memory, isOpen }: { memory: ListedMemory; isOpen: boolean }) => (
  <li>
    <a className="card" href={formatRoute(memory.id)} aria-current={isOpen ? 'page' : undefined}>
      <PreviewImage memory={memory} />
      <span className="card-text">
        <span className="card-name" dir="auto">
          {memoryName(memory)}
        </span>
        <span className="card-facts">
          <time dateTime={memory.started_at}>{formatTime(memory.started_at)}</time>
          <span>{formatDuration(memory.duration_seconds)}</span>
          {memory.is_processing && <span className="chip">Processing</span>}
        </span>
      </span>
    </a>
  </li>
));
