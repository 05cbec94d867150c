import type { IndexDetail } from '../index-data.ts';

/**
 * Returns a function that loads the data of a month. They are loaded as scripts, because a page that is opened from a
 * disk cannot read files in another way.
 */
export function monthLoader(folder: string): (month: string) => Promise<readonly IndexDetail[]> {
  const arrived = new Map<string, readonly IndexDetail[]>();
  globalThis.memoryReadMonth = (month, details) => void arrived.set(month, details);
  return (month) =>
    new Promise((resolve, reject) => {
      const script = document.createElement('script');
      script.src = `${folder}/${month}.js`;
      script.onload = () => resolve(arrived.get(month) ?? []);
      script.onerror = () =>
        reject(new Error(`Failed to open ${script.src}. Keep index.html beside its folder ${folder}.`));
      document.head.append(script);
    });
}
