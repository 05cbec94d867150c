import { type RefObject, useCallback, useEffect, useState } from 'react';

/** Keeps the current line in view while it plays, until the reader scrolls; then only when asked. */
export function useFollowing(
  scroller: RefObject<HTMLElement | null>,
  { current, isPlaying }: { current: number; isPlaying: boolean },
) {
  const [isFollowing, setIsFollowing] = useState(true);
  const follow = useCallback(() => setIsFollowing(true), []);
  const leave = useCallback(() => setIsFollowing(false), []);

  useEffect(() => {
    if (isFollowing && current >= 0) showLine(scroller.current, current);
  }, [scroller, current, isFollowing]);

  useEffect(() => {
    if (!isPlaying) return;
    const leaveByKey = ({ key }: KeyboardEvent) => void (/^(Page(Up|Down)|Home|End)$/.test(key) && leave());
    addEventListener('wheel', leave, { passive: true });
    addEventListener('touchmove', leave, { passive: true });
    addEventListener('keydown', leaveByKey);
    return () => {
      removeEventListener('wheel', leave);
      removeEventListener('touchmove', leave);
      removeEventListener('keydown', leaveByKey);
    };
  }, [isPlaying, leave]);

  return { isFollowing, follow, leave };
}

function showLine(scroller: HTMLElement | null, line: number): void {
  const behavior = matchMedia?.('(prefers-reduced-motion: reduce)').matches ? 'instant' : 'smooth';
  scroller?.querySelector(`[data-line="${line}"]`)?.scrollIntoView?.({ block: 'nearest', behavior });
}
