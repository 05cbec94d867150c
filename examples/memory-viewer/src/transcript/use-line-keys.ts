import { type KeyboardEvent, type RefObject, useCallback } from 'react';

/** Arrows go from line to line, so that Tab need not pass ten thousand of them. */
export function useLineKeys(scroller: RefObject<HTMLElement | null>) {
  return useCallback(
    (event: KeyboardEvent) => {
      const line = Number((event.target as HTMLElement).dataset.line);
      const next = { ArrowDown: line + 1, ArrowUp: line - 1, Home: 0 }[event.key];
      const target = next === undefined ? null : scroller.current?.querySelector<HTMLElement>(`[data-line="${next}"]`);
      if (!target) return;
      event.preventDefault();
      target.focus();
    },
    [scroller],
  );
}
