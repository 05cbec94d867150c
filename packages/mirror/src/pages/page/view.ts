import { byId } from './elements.ts';

/** The part of the page below its header, and the line for its status. */
export interface View {
  /**
   * Replaces what is shown. Returns a function that says whether it is still shown: a view that loads late asks it
   * before it adds data.
   */
  show(title: string | undefined, ...nodes: Node[]): () => boolean;
  setStatus(text: string): void;
}

/** Title of the page without a memory or a search. */
export const pageTitle = 'Memories';

/** Returns the view of the document. */
export function openView(): View {
  const main = byId('main');
  const status = byId('status');
  let current = 0;
  return {
    show: (title, ...nodes) => {
      document.title = title === undefined ? pageTitle : `${title} · ${pageTitle}`;
      main.replaceChildren(...nodes);
      status.textContent = '';
      const own = ++current;
      return () => own === current;
    },
    setStatus: (text) => {
      status.textContent = text;
    },
  };
}
