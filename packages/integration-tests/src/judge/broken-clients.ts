// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the edits are code with templates.
/** A mistake in the naive client, and the scenario that finds it. */
export interface BrokenClient {
  /** What the client does, after "A client that". */
  name: string;
  /** Lines of the naive client, and those in their place. */
  edits: Readonly<Record<string, string>>;
  scenario: string;
  /** Part of what the judge observes. */
  observed: string;
}

const url = '/v1/memories${path}`;';
const headers = 'await send(url, { authorization: `Bearer ${MEMORY_API_KEY}` })';
const response = "const response = await fetch(url, { headers, redirect: 'error', signal });";
const status = 'if (!response.ok) throw new Error(`the server answered ${response.status}`);';
const parse = 'return JSON.parse(await response.text());';
const listCheck = "if (!Array.isArray(memories)) throw new Error('the response is not a list');";
const idCheck = "if (memory.id !== MEMORY_JUDGE_MEMORY_ID) throw new Error('the response is not the memory');";
const id = 'encodeURIComponent(MEMORY_JUDGE_MEMORY_ID)';
const mediaCheck = "if (!url) throw new Error('the memory has no such media');";
const media = 'const response = await send(url);';
const write = 'await writeFile(`${MEMORY_JUDGE_OUTPUT}.part`, new Uint8Array(await response.arrayBuffer()));';
const print = 'console.log(JSON.stringify({ ok: true, ...result }, withoutUrls));';

const takeWhatArrives = `const parts = [];
  try {
    for await (const part of response.body) parts.push(part);
  } catch {}
  await writeFile(\`\${MEMORY_JUDGE_OUTPUT}.part\`, Buffer.concat(parts));`;
const partialList = `let text = '';
  const decoder = new TextDecoder();
  try {
    for await (const piece of response.body) text += decoder.decode(piece, { stream: true });
    return JSON.parse(text);
  } catch {
    return JSON.parse(\`\${text.slice(0, text.lastIndexOf('},') + 1)}]\`);
  }`;
const success = 'the command reported success';
const failure = 'the command reported an error';
const otherBytes = 'the command reported success, and the file has other bytes';
export const endless = 'the command did not end in';
const early = 'the second request was sent after';

const broken = (name: string, scenario: string, observed: string, edits: BrokenClient['edits']): BrokenClient => ({
  name,
  scenario,
  observed,
  edits,
});

export const brokenClients: readonly BrokenClient[] = [
  // The key and the request
  broken('sends the key in the query', 'list', 'the key was sent in query', {
    [url]: '/v1/memories${path}?api_key=${MEMORY_API_KEY}`;',
  }),
  broken('sends the key as a cookie too', 'get', 'the key was sent in cookie', {
    [headers]: headers.replace(' }', ', cookie: `key=${MEMORY_API_KEY}` }'),
  }),
  broken('sends the key to the storage', 'download', 'the key was sent to the storage', {
    [media]: 'const response = await send(url, { authorization: `Bearer ${MEMORY_API_KEY}` });',
  }),
  broken('follows redirects with the key', 'redirect-key', 'the key was sent to another origin', {
    [response]: `let response = await fetch(url, { headers, redirect: 'manual', signal });
  const target = response.headers.get('location');
  if (target) response = await fetch(new URL(target, url), { headers, signal });`,
  }),
  broken('follows a hundred redirects', 'redirect-loop', 'requests were sent to the API', {
    [response]: `let response = await fetch(url, { headers, redirect: 'manual', signal });
  for (let hop = 0; hop < 100 && response.status === 302; hop++) response = await fetch(url, { headers, redirect: 'manual' });
  if (response.status === 302) throw new Error('too many redirects');`,
  }),
  broken('prints its headers', 'list', 'the output contains the key', {
    [response]: `console.log(headers); ${response}`,
  }),
  broken('prints its key in base64', 'list', 'the output contains the key', {
    [response]: `console.error(btoa(\`x:\${MEMORY_API_KEY}\`)); ${response}`,
  }),
  broken('prints the URL of its download', 'download', 'the output contains a signed URL', {
    [media]: `console.error('GET', url); ${media}`,
  }),
  broken('sends a POST', 'list', 'a request has the method POST', {
    [response]: response.replace('{ headers', "{ method: 'POST', headers"),
  }),
  broken('limits the list by a query parameter', 'list', 'a request to the API has a query', {
    [url]: '/v1/memories${path}?limit=100`;',
  }),
  broken('reads the details of each listed memory', 'list-long', 'requests were sent to the API', {
    [listCheck]: `${listCheck}\n  for (const { id } of memories) await read(\`/\${encodeURIComponent(id)}\`);`,
  }),
  // Base URL and ids
  broken('drops the path of the base URL', 'base-path', failure, {
    "${MEMORY_API_URL.replace(/\\/+$/, '')}": '${new URL(MEMORY_API_URL).origin}',
  }),
  broken('does not expect a slash at the end of the base URL', 'base-slash', failure, {
    "${MEMORY_API_URL.replace(/\\/+$/, '')}": '${MEMORY_API_URL}',
  }),
  broken('encodes ids with encodeURI', 'id-slash', failure, { [id]: 'encodeURI(MEMORY_JUDGE_MEMORY_ID)' }),
  broken('does not encode ids', 'id-question', 'a request to the API has a query', { [id]: 'MEMORY_JUDGE_MEMORY_ID' }),
  broken('encodes ids twice', 'id-percent', failure, { [id]: `encodeURIComponent(${id})` }),
  broken('encodes ids in Latin-1', 'id-unicode', failure, { [id]: 'escape(MEMORY_JUDGE_MEMORY_ID)' }),
  // Responses that are right
  broken('takes an empty list for an error', 'list-empty', failure, {
    [listCheck]: "if (!(memories.length > 0)) throw new Error('the response is not a list');",
  }),
  broken('reports only the first hundred memories', 'list-long', 'instead of 2000', {
    'return { memories };': 'return { memories: memories.slice(0, 100) };',
  }),
  broken('refuses fields that it does not know', 'unknown-fields', failure, {
    [idCheck]: `${idCheck}\n  if (Object.keys(memory).length !== 12) throw new Error('unknown field');`,
  }),
  broken('reads the transcript without a check for null', 'null-fields', failure, {
    'return { memory };': 'return { memory, segments: memory.transcript.segments.length };',
  }),
  broken('takes a memory that is being processed for an error', 'processing', failure, {
    [idCheck]: `${idCheck}\n  if (memory.is_processing) throw new Error('not ready');`,
  }),
  broken('ignores the offset of a date-time', 'date-offset', 'memory.started_at is not that of the server', {
    'return { memory };': 'return { memory: { ...memory, started_at: `${memory.started_at.slice(0, 19)}Z` } };',
  }),
  broken('cuts fractions of a second', 'date-fraction', 'memory.started_at is not that of the server', {
    'return { memory };':
      'return { memory: { ...memory, started_at: Math.floor(Date.parse(memory.started_at) / 1000) * 1000 } };',
  }),
  broken('decodes each piece of a body by itself', 'slow-utf8', 'memories[0].id is not that of the server', {
    [parse]: `let text = '';
  for await (const piece of response.body) text += Buffer.from(piece).toString();
  return JSON.parse(text);`,
  }),
  // Errors and retries
  broken('takes an error for an empty list', '401', success, {
    [parse]: 'return response.json().catch(() => []);',
    [status]: "if (!response.ok) return new Response('[]');",
  }),
  broken('saves the body of an error', 'media-403', success, { [media]: 'const response = await fetch(url);' }),
  broken('ends with 0 after an error', '401', 'ok is false, and the exit code is 0', { 'process.exitCode = 1;': '' }),
  broken('prints no result', 'list', 'the command printed no result (exit code 0)', {
    [print]: 'console.error(result);',
  }),
  broken('gives up before it sends a request', '500-always', '0 requests were sent to the API', {
    [response]: `if (url) throw new Error('offline'); ${response}`,
  }),
  broken('retries a hundred times at once', '503-always', 'requests were sent to the API', {
    [status]: `if (response.status >= 500 && !(headers.attempt > 100)) return send(url, { ...headers, attempt: 1 + (headers.attempt ?? 0) });\n  ${status}`,
  }),
  broken('retries a 404', '404', '2 requests were sent to the API', {
    [status]: `if (response.status === 404 && !headers.again) return send(url, { ...headers, again: 1 });\n  ${status}`,
  }),
  broken('ignores Retry-After', 'retry-after', early, { [status]: retryAfter('100') }),
  broken('reads Retry-After as a number only', 'retry-after-date', early, {
    [status]: retryAfter("1000 * Number(response.headers.get('retry-after'))"),
  }),
  // Broken connections and bodies
  broken('takes a broken connection for an empty list', 'reset', success, {
    [response]: response.replace(');', ").catch(() => new Response('[]'));"),
  }),
  broken('takes what arrived of a list', 'list-cut-at-item', success, { [parse]: partialList }),
  broken('takes an empty body for an empty list', 'empty-body', success, {
    [parse]: "return JSON.parse((await response.text()) || '[]');",
  }),
  broken('takes a page for an empty list', 'sign-in-page', success, {
    [parse]: 'return response.json().catch(() => []);',
  }),
  broken('expects a list in another shape too', 'other-shape', success, {
    [listCheck]: '',
    'return { memories };': 'return { memories: memories.memories ?? memories.data ?? memories.items ?? memories };',
  }),
  broken('has no timeout', 'stall-head', endless, { ', signal });': ' });' }),
  broken('has a timeout for the headers only', 'stall-body', endless, {
    'const signal = AbortSignal.timeout(timeout);':
      'const stop = new AbortController();\n  const timer = setTimeout(() => stop.abort(), timeout);',
    ', signal });': ', signal: stop.signal });\n  clearTimeout(timer);',
  }),
  // Media
  broken('saves an empty file where a memory has no media', 'media-null', success, {
    [mediaCheck]: "if (!url) return writeFile(MEMORY_JUDGE_OUTPUT, '');",
  }),
  broken('saves what arrived of a file', 'media-half', otherBytes, { [write]: takeWhatArrives }),
  broken('resumes a file that has changed', 'media-foreign-range', otherBytes, {
    [media]: '',
    [write]: resume(),
  }),
  broken('appends a whole file to its first half', 'media-no-ranges', otherBytes, {
    [media]: '',
    [write]: resume(),
  }),
  broken('appends a range without a look at its position', 'media-wrong-range', otherBytes, {
    [media]: '',
    [write]: resume("if (size > 0 && response.status !== 206) throw new Error('no range');"),
  }),
];

/** Requests the rest of a file after a broken connection, and appends it. */
function resume(check = ''): string {
  return `const parts = [];
  let size = 0;
  for (let attempt = 0; attempt < 3; attempt++) {
    const response = await send(url, size > 0 ? { range: \`bytes=\${size}-\` } : {});
    ${check}
    try {
      for await (const part of response.body) {
        parts.push(part);
        size += part.length;
      }
      break;
    } catch {}
  }
  await writeFile(\`\${MEMORY_JUDGE_OUTPUT}.part\`, Buffer.concat(parts));`;
}

/** Retries once, after a number of milliseconds. */
function retryAfter(wait: string): string {
  return `if ([429, 503].includes(response.status) && !headers.again) {
    await new Promise((resolve) => setTimeout(resolve, ${wait}));
    return send(url, { ...headers, again: '1' });
  }
  ${status}`;
}
