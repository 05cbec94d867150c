import { type UIEvent, useLayoutEffect, useRef } from 'react';
import { stored } from '../stored.ts';

/** Keeps the scroll position of the list, also during a reload and while a memory covers it. */
export function useKeptScroll(isShown: boolean) {
  const list = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    if (isShown) list.current?.scrollTo?.(0, Number(stored('sessionStorage').scroll ?? 0));
  }, [isShown]);
  const onScroll = ({ currentTarget }: UIEvent) => {
    stored('sessionStorage').scroll = String(currentTarget.scrollTop);
  };
  return { ref: list, onScroll };
}
