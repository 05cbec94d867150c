import type { Memory } from '@memory-read/client';
import { toVtt } from '@memory-read/client/transcript';
import { useEffect, useState } from 'react';

/** The transcript as a WebVTT file of this page, or null where nothing was said. */
export function useCaptions(memory: Memory): string | null {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (!memory.transcript?.segments.length) return setUrl(null);
    const made = URL.createObjectURL(new Blob([toVtt(memory)], { type: 'text/vtt' }));
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [memory]);
  return url;
}
