import type { IndexDetail, IndexEntry, IndexList } from './index-data.ts';

/**
 * Runs in `index.html`, which contains the text of this function. So the function must not use names from outside of
 * it.
 *
 * Texts of memories become text nodes only.
 */
export function runIndexPage(): void {
  const ROWS_AT_ONCE = 100;
  const HITS_AT_ONCE = 50;

  const list: IndexList = JSON.parse(byId('memories').textContent ?? '');
  const main = byId('main');
  const search = byId('search') as HTMLInputElement;
  const status = byId('status');
  const title = document.title;
  const monthOf = new Map<string, string>();
  const entryOf = new Map<string, IndexEntry>();
  const firstOf = new Map<string, number>();
  let next = 0;
  for (const [month, memories] of list.months) {
    firstOf.set(month, next);
    for (const entry of list.entries.slice(next, next + memories)) {
      monthOf.set(entry[0], month);
      entryOf.set(entry[0], entry);
    }
    next += memories;
  }

  // Months are loaded as scripts, because a page that is opened from a disk cannot read files in another way.
  const months = new Map<string, Promise<readonly IndexDetail[]>>();
  const arrived = new Map<string, readonly IndexDetail[]>();
  globalThis.memoryReadMonth = (month, details) => void arrived.set(month, details);

  function loadMonth(month: string): Promise<readonly IndexDetail[]> {
    const known = months.get(month);
    if (known !== undefined) return known;
    const loading = new Promise<readonly IndexDetail[]>((resolve, reject) => {
      const script = document.createElement('script');
      script.src = `${list.folder}/${month}.js`;
      script.onload = () => resolve(arrived.get(month) ?? []);
      script.onerror = () => {
        months.delete(month);
        reject(new Error(`Failed to open ${script.src}. Keep index.html beside its folder ${list.folder}.`));
      };
      document.head.append(script);
    });
    months.set(month, loading);
    return loading;
  }

  // Number of the current view. A view that loads late compares it before it shows data.
  let shown = 0;
  let observer: IntersectionObserver | undefined;

  function show(...nodes: (Node | string)[]): number {
    observer?.disconnect();
    main.replaceChildren(...nodes);
    status.textContent = '';
    return ++shown;
  }

  function showList(): void {
    document.title = title;
    const rows = element('ol', { class: 'rows' });
    show(heading(title), list.entries.length === 0 ? element('p', { class: 'empty' }, 'No memories yet.') : rows);
    let from = 0;
    let day = '';
    const end = element('div');
    main.append(end);
    const addRows = () => {
      for (const entry of list.entries.slice(from, from + ROWS_AT_ONCE)) {
        if (entry[2] !== day) {
          day = entry[2];
          rows.append(element('li', { class: 'day' }, element('h2', {}, spellDay(day))));
        }
        rows.append(listRow(entry));
      }
      from += ROWS_AT_ONCE;
      if (from >= list.entries.length) observer?.disconnect();
    };
    addRows();
    observer = new IntersectionObserver((seen) => seen.some(({ isIntersecting }) => isIntersecting) && addRows(), {
      rootMargin: '1500px',
    });
    observer.observe(end);
  }

  function listRow(entry: IndexEntry): HTMLElement {
    const [key, name, , time, seconds, , summary] = entry;
    return element(
      'li',
      {},
      element(
        'a',
        { href: `#/${key}`, class: 'row' },
        element('span', { class: 'time' }, time.slice(0, 5)),
        element(
          'span',
          { class: 'what' },
          element('strong', { dir: 'auto' }, name.trim() || 'Untitled'),
          ...stateLabel(entry),
          element('span', { class: 'summary', dir: 'auto' }, summary),
        ),
        element('span', { class: 'length' }, clock(seconds * 1000)),
      ),
    );
  }

  async function showMemory(key: string, at: number | undefined): Promise<void> {
    const entry = entryOf.get(key);
    const month = monthOf.get(key);
    if (entry === undefined || month === undefined) {
      document.title = title;
      show(
        heading(title),
        element('p', { class: 'empty' }, 'This memory is not in the mirror. It may have been purged.'),
      );
      return;
    }
    const [, name, date, time, seconds, , summary] = entry;
    document.title = `${name.trim() || 'Untitled'} · ${title}`;
    const article = element(
      'article',
      {},
      element('h1', { dir: 'auto' }, name.trim() || 'Untitled'),
      element(
        'p',
        { class: 'facts' },
        `${spellDay(date)}, ${time.slice(0, 5)} · ${clock(seconds * 1000)}`,
        ...stateLabel(entry),
      ),
    );
    const own = show(element('p', { class: 'back' }, element('a', { href: '#/' }, 'All memories')), article);
    const details = await loadMonth(month);
    if (own !== shown) return;
    const detail = details.find((other) => other.key === key);
    if (detail === undefined)
      throw new Error('Failed to show the memory: its script does not match this page. Write the pages again.');

    const player = addPlayer(article, detail);
    if (summary !== '') article.append(element('p', { class: 'lead', dir: 'auto' }, summary));
    if (detail.takeaways.length > 0) {
      const takeaways = detail.takeaways.map((takeaway) => element('li', { dir: 'auto' }, takeaway));
      article.append(element('h2', {}, 'Key takeaways'), element('ul', {}, ...takeaways));
    }
    const lines = addTranscript(article, detail, player);
    const start = lines.findLast(([from]) => at !== undefined && from <= at);
    if (start === undefined || at === undefined) return;
    start[1].classList.add('found');
    start[1].scrollIntoView({ block: 'center' });
    if (player !== undefined) player.currentTime = at / 1000;
  }

  function addPlayer(article: HTMLElement, { media }: IndexDetail): HTMLMediaElement | undefined {
    const path = media.video ?? media.audio;
    if (path === undefined) {
      if (media.preview_image !== undefined) article.append(element('img', { src: media.preview_image, alt: '' }));
      return undefined;
    }
    const player = element(media.video === undefined ? 'audio' : 'video', {
      src: path,
      controls: '',
      preload: 'metadata',
    });
    if (media.preview_image !== undefined) player.setAttribute('poster', media.preview_image);
    article.append(player);
    return player as HTMLMediaElement;
  }

  function addTranscript(
    article: HTMLElement,
    { cues, speakers }: IndexDetail,
    player: HTMLMediaElement | undefined,
  ): [start: number, line: HTMLElement][] {
    if (cues.length === 0) return [];
    const transcript = element('div', { class: 'transcript' });
    article.append(element('h2', {}, 'Transcript'), transcript);
    const lines: [number, HTMLElement][] = [];
    let speaker = -1;
    for (const [start, of, text] of cues) {
      if (of !== speaker) {
        speaker = of;
        transcript.append(element('h3', { class: `voice-${of % 6}`, dir: 'auto' }, speakers[of] || 'Unknown speaker'));
      }
      const tag = player === undefined ? 'p' : 'button';
      const line = element(
        tag,
        { class: 'line' },
        element('span', { class: 'time' }, clock(start)),
        element('span', { dir: 'auto' }, text),
      );
      line.addEventListener('click', () => {
        if (player === undefined || getSelection()?.isCollapsed === false) return;
        player.currentTime = start / 1000;
        void player.play();
      });
      lines.push([start, line]);
      transcript.append(line);
    }
    let current: HTMLElement | undefined;
    player?.addEventListener('timeupdate', () => {
      const line = lines.findLast(([start]) => start <= player.currentTime * 1000 + 20)?.[1];
      if (line === current) return;
      current?.removeAttribute('aria-current');
      line?.setAttribute('aria-current', 'true');
      current = line;
    });
    return lines;
  }

  // Search: all words in the name, in the summary, in one takeaway, or in one turn.
  async function showHits(query: string): Promise<void> {
    document.title = `${query} · ${title}`;
    const words = fold(query)
      .split(/[^\p{L}\p{N}\p{M}]+/u)
      .filter(Boolean);
    const rows = element('ol', { class: 'rows' });
    const own = show(heading(`Memories with ${query}`), rows);
    if (words.length === 0) {
      status.textContent = 'Nothing found.';
      return;
    }
    let hits = 0;
    let wanted = HITS_AT_ONCE;
    for (const [month] of list.months) {
      status.textContent = `Searching ${month} …`;
      const details = await loadMonth(month);
      if (own !== shown) return;
      for (const detail of details) {
        const entry = entryOf.get(detail.key);
        if (entry === undefined) continue;
        for (const [at, text, speaker] of findIn(entry, detail, words)) {
          if (hits === wanted) {
            status.textContent = `The newest ${hits} places`;
            await pressed(rows, 'Show more');
            if (own !== shown) return;
            wanted += HITS_AT_ONCE;
          }
          hits += 1;
          rows.append(hitRow(entry, { at, text, speaker, words }));
        }
      }
    }
    status.textContent = hits === 0 ? 'Nothing found.' : `${hits} ${hits === 1 ? 'place' : 'places'}`;
  }

  function* findIn(
    [, name, , , , , summary]: IndexEntry,
    { takeaways, cues, speakers }: IndexDetail,
    words: readonly string[],
  ): Generator<[at: number | undefined, text: string, speaker: string]> {
    const has = (text: string) => words.every((word) => text.includes(word));
    for (const text of [name, summary, ...takeaways]) if (has(fold(text))) yield [undefined, text, ''];
    for (let first = 0; first < cues.length; ) {
      const speaker = cues[first]?.[1] ?? -1;
      let end = first + 1;
      while (end < cues.length && end - first < 64 && cues[end]?.[1] === speaker) end += 1;
      const turn = cues.slice(first, end);
      first = end;
      const texts = turn.map(([, , text]) => fold(text));
      if (!has(texts.join(' '))) continue;
      // A link of a hit starts the recording at the line that has most of the words.
      const counts = texts.map((text) => words.filter((word) => text.includes(word)).length);
      const best = turn[counts.indexOf(Math.max(...counts))];
      if (best !== undefined) yield [best[0], turn.map(([, , text]) => text).join(' '), speakers[speaker] ?? ''];
    }
  }

  function hitRow(
    entry: IndexEntry,
    { at, text, speaker, words }: { at: number | undefined; text: string; speaker: string; words: readonly string[] },
  ): HTMLElement {
    const [key, name, date, time] = entry;
    const place = at === undefined ? '' : ` · at ${clock(at)}`;
    return element(
      'li',
      {},
      element(
        'a',
        { href: at === undefined ? `#/${key}` : `#/${key}/${at}`, class: 'row hit' },
        element(
          'span',
          { class: 'what' },
          element('strong', { dir: 'auto' }, name.trim() || 'Untitled'),
          ...stateLabel(entry),
          element('span', { class: 'facts' }, `${date} ${time.slice(0, 5)}${place}${speaker && ` · ${speaker}`}`),
          element('span', { class: 'words', dir: 'auto' }, ...markWords(text, words)),
        ),
      ),
    );
  }

  /** Returns the text around the first word, with each word marked. */
  function markWords(text: string, words: readonly string[]): Node[] {
    const characters = [...new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text)].map(
      ({ segment }) => segment,
    );
    const folded = characters.map(fold);
    const whole = folded.join('');
    const marked = new Set<number>();
    const places: number[] = [];
    for (const [index, part] of folded.entries()) for (let unit = 0; unit < part.length; unit += 1) places.push(index);
    for (const word of words) {
      for (let at = whole.indexOf(word); at !== -1; at = whole.indexOf(word, at + word.length)) {
        for (const place of places.slice(at, at + word.length)) marked.add(place);
      }
    }
    let first = Math.max(0, Math.min(...marked, characters.length) - 60);
    // Start at a whole word if the words are short enough.
    const space = first === 0 ? -1 : characters.indexOf(' ', first);
    if (space !== -1 && space < first + 20) first = space + 1;
    const end = Math.min(characters.length, first + 240);
    const nodes: Node[] = first > 0 ? [document.createTextNode('… ')] : [];
    for (let from = first; from < end; ) {
      const isMarked = marked.has(from);
      let to = from + 1;
      while (to < end && marked.has(to) === isMarked) to += 1;
      const part = characters.slice(from, to).join('');
      nodes.push(isMarked ? element('mark', {}, part) : document.createTextNode(part));
      from = to;
    }
    if (end < characters.length) nodes.push(document.createTextNode(' …'));
    return nodes;
  }

  function pressed(rows: HTMLElement, label: string): Promise<void> {
    return new Promise((resolve) => {
      const button = element('button', { class: 'more' }, label);
      button.addEventListener('click', () => {
        button.remove();
        resolve();
      });
      rows.after(button);
    });
  }

  // The view is in the part of the address after #.
  function route(): void {
    const [, first = '', second] = location.hash.split('/');
    const query = first === 'search' ? decodeQuery(second ?? '') : '';
    if (document.activeElement !== search) search.value = query;
    scrollTo(0, 0);
    if (query !== '') showHits(query).catch(showProblem);
    else if (first === '' || first === 'search') showList();
    else showMemory(first, second === undefined ? undefined : Number(second)).catch(showProblem);
  }

  function decodeQuery(text: string): string {
    try {
      return decodeURIComponent(text).trim();
    } catch {
      return '';
    }
  }

  function showProblem(problem: unknown): void {
    const { message = String(problem) } = Object(problem);
    status.textContent = message;
  }

  function fold(text: string): string {
    // Upper case first makes `ß` and `SS` equal. Marks of other scripts are kept, because they are vowels.
    return text
      .toLowerCase()
      .toUpperCase()
      .toLowerCase()
      .normalize('NFKD')
      .replace(/[\u0300-\u036f]|[\u0591-\u05c7]|[\u0610-\u061a]|[\u064b-\u065f]|\u0670/g, '');
  }

  function clock(milliseconds: number): string {
    const seconds = Math.floor(milliseconds / 1000);
    const digits = (value: number) => String(value).padStart(2, '0');
    const minutes = `${Math.floor(seconds / 60) % 60}`;
    return seconds < 3600
      ? `${minutes}:${digits(seconds % 60)}`
      : `${Math.floor(seconds / 3600)}:${minutes.padStart(2, '0')}:${digits(seconds % 60)}`;
  }

  function spellDay(date: string): string {
    const day = new Date(`${date}T12:00:00Z`);
    if (Number.isNaN(day.getTime())) return date;
    return day.toLocaleDateString(undefined, { dateStyle: 'full', timeZone: 'UTC' });
  }

  /** Returns the heading of a view whose title is visible elsewhere. */
  function heading(text: string): HTMLElement {
    return element('h1', { class: 'unseen' }, text);
  }

  function stateLabel([, , , , , state]: IndexEntry): Node[] {
    return state === '' ? [] : [element('span', { class: 'state' }, state)];
  }

  function element(tag: string, attributes: Record<string, string> = {}, ...children: (Node | string)[]): HTMLElement {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    made.append(...children);
    return made;
  }

  function byId(id: string): HTMLElement {
    const found = document.getElementById(id);
    if (found === null) throw new Error(`Failed to find #${id}.`);
    return found;
  }

  let typing: ReturnType<typeof setTimeout> | undefined;
  search.addEventListener('input', () => {
    clearTimeout(typing);
    typing = setTimeout(() => {
      const query = search.value.trim();
      location.hash = query === '' ? '#/' : `#/search/${encodeURIComponent(query)}`;
    }, 200);
  });
  addEventListener('hashchange', route);
  route();
}
