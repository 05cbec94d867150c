// The reference page serves every export of this file as text, so it may use only browser APIs and other exports.

/** Makes the forms of the page send their requests. The key is stored only in its fields. */
export function startTryIt(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>('form.try-it')) {
    let sending = new AbortController();
    form.hidden = false;
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      sending.abort();
      sending = new AbortController();
      void send(form, sending.signal);
    });
  }
  const keys = document.querySelectorAll<HTMLInputElement>('input[type="password"]');
  for (const key of keys) {
    key.addEventListener('input', () => {
      for (const other of keys) if (other !== key) other.value = key.value;
    });
  }
  // A browser may keep a page that was left, in order to return to it.
  addEventListener('pagehide', () => {
    for (const key of keys) key.value = '';
  });
}

export async function send(form: HTMLFormElement, signal: AbortSignal): Promise<void> {
  const status = form.querySelector('.try-status') as HTMLElement;
  const result = form.querySelector('.try-result') as HTMLElement;
  const key = form.querySelector<HTMLInputElement>('input[type="password"]')?.value.trim();
  status.textContent = 'Sending…';
  const start = performance.now();
  try {
    const headers = key ? { authorization: `Bearer ${key}` } : {};
    // A redirect could lead to another host.
    const response = await fetch(requestUrlOf(form), { headers, signal, cache: 'no-store', redirect: 'error' });
    const text = await response.text();
    status.replaceChildren(...statusLine(response, performance.now() - start));
    result.replaceChildren(...answer(response, text));
  } catch {
    if (signal.aborted) return;
    status.textContent =
      'Failed to send the request: no complete response arrived. Check that the server is running, then send it again.';
    result.replaceChildren();
  }
}

/** Returns a URL relative to the page, so that it keeps the prefix of a proxy. */
export function requestUrlOf(form: HTMLFormElement): URL {
  const path = (form.dataset.path ?? '').replace(/\{(\w+)\}/g, (_, name) => {
    const field = form.querySelector<HTMLInputElement>(`[data-parameter="${name}"]`);
    return encodeURIComponent(field?.value ?? '');
  });
  return new URL(`.${path}`, location.origin + location.pathname);
}

export function statusLine({ status, statusText }: Response, milliseconds: number): (Node | string)[] {
  const className = `status status-${String(status).charAt(0)}`;
  return [element('span', { className }, `${status} ${statusText}`.trim()), ` in ${Math.round(milliseconds)} ms`];
}

export function answer({ headers }: Response, text: string): HTMLElement[] {
  const body = parseJson(text);
  const memories = Array.isArray(body) ? [memoryChoice(body)] : mediaOf(body);
  const parts = body === undefined ? [{ text }] : jsonParts(JSON.stringify(body, null, 2));
  const code = element(
    'code',
    {},
    parts.map(({ text, className }) => (className ? element('span', { className }, text) : text)),
  );
  const box = element('pre', { tabIndex: 0, role: 'group', ariaLabel: 'Body of the response' }, code);
  return [headerList(headers), ...memories, box];
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function headerList(headers: Headers): HTMLElement {
  const shown = ['x-request-id', 'content-type', 'www-authenticate', 'cache-control'];
  const entries = shown.flatMap((name) => {
    const value = headers.get(name);
    return value === null ? [] : [element('dt', {}, name), element('dd', {}, element('code', {}, value))];
  });
  return element('dl', { className: 'try-headers' }, ...entries);
}

/** Renders the memories of a list. Each has a button that copies its id to the field for an id. */
export function memoryChoice(memories: readonly { id?: unknown; name?: unknown }[]): HTMLElement {
  const items = memories.map(({ id, name }) => {
    const button = element('button', { type: 'button' }, String(id));
    button.addEventListener('click', () => fillParameter('memory_id', String(id)));
    return element('li', {}, button, element('span', {}, String(name)));
  });
  const count = memories.length === 1 ? '1 memory' : `${memories.length} memories`;
  const hint = memories.length === 0 ? `${count}.` : `${count}. Choose one to get:`;
  return element('div', {}, element('p', {}, hint), element('ul', { className: 'try-memories' }, items));
}

export function fillParameter(name: string, value: string): void {
  const field = document.querySelector<HTMLInputElement>(`[data-parameter="${name}"]`);
  if (field === null) return;
  field.value = value;
  field.focus({ preventScroll: true });
  field.scrollIntoView({ block: 'center' });
}

export function mediaOf(body: unknown): HTMLElement[] {
  const media = (body ?? {}) as Record<string, unknown>;
  return (['audio', 'video', 'preview_image'] as const).flatMap((kind) => {
    const url = media[`${kind}_url`];
    return typeof url === 'string' && URL.canParse(url) ? [mediaFigure(kind, url)] : [];
  });
}

export function mediaFigure(kind: 'audio' | 'video' | 'preview_image', url: string): HTMLElement {
  const name = kind.replace('_', ' ');
  const { origin } = new URL(url);
  if (origin !== location.origin) {
    return element('p', {}, `The ${name} is on ${origin}. This page shows only media of its own host.`);
  }
  const caption = element('figcaption', {}, name);
  const player = kind === 'preview_image' ? element('img', { alt: 'Preview of the memory' }) : playerOf(kind);
  player.addEventListener('error', () => {
    caption.textContent = `The ${name} could not be loaded. Its URL may have expired: send the request again.`;
  });
  player.crossOrigin = 'anonymous';
  player.src = url;
  return element('figure', {}, caption, player);
}

export function playerOf(kind: 'audio' | 'video'): HTMLMediaElement {
  return element(kind, { controls: true, preload: 'metadata', ariaLabel: `Play the ${kind}` });
}

/** Returns the parts of a JSON text, with the class of those that are coloured. */
export function jsonParts(json: string): { text: string; className?: string }[] {
  const token = /("(?:\\.|[^"\\])*")(:)?|\b(?:true|false|null)\b|-?\d[\d.eE+-]*/g;
  const parts: { text: string; className?: string }[] = [];
  let end = 0;
  for (const { 0: text, 1: string, 2: colon = '', index } of json.matchAll(token)) {
    const kind = string ? 'json-string' : 'json-value';
    const className = colon ? 'json-key' : kind;
    parts.push({ text: json.slice(end, index) }, { text: string ?? text, className }, { text: colon });
    end = index + text.length;
  }
  return [...parts, { text: json.slice(end) }];
}

/** Creates an element. Content of a response is only added as text. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]>,
  ...children: (Node | string | readonly (Node | string)[])[]
): HTMLElementTagNameMap[Name] {
  const made = Object.assign(document.createElement(name), properties);
  // A call takes no more arguments than its stack has room for.
  for (const child of children.flat()) made.append(child);
  return made;
}
