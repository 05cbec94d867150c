// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the edits are code with templates.
/** A mistake in the naive client, and the scenario that finds it. */
export interface BrokenClient {
  /** What the client does, after "A client that". */
  name: string;
  /** Lines of the naive client, and those in their place. */
  edits: readonly (readonly [from: string, to: string])[];
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

export const brokenClients: readonly BrokenClient[] = [
  // The key and the request
  {
    name: 'sends the key in the query',
    edits: [[url, '/v1/memories${path}?api_key=${MEMORY_API_KEY}`;']],
    scenario: 'list',
    observed: 'the key was sent in query',
  },
  {
    name: 'sends the key as a cookie too',
    edits: [[headers, headers.replace(' }', ', cookie: `key=${MEMORY_API_KEY}` }')]],
    scenario: 'get',
    observed: 'the key was sent in cookie',
  },
  {
    name: 'sends the key to the storage',
    edits: [[media, 'const response = await send(url, { authorization: `Bearer ${MEMORY_API_KEY}` });']],
    scenario: 'download',
    observed: 'the key was sent to the storage',
  },
  {
    name: 'follows redirects with the key',
    edits: [
      [
        response,
        `let response = await fetch(url, { headers, redirect: 'manual', signal });
  const target = response.headers.get('location');
  if (target) response = await fetch(new URL(target, url), { headers, signal });`,
      ],
    ],
    scenario: 'redirect-key',
    observed: 'the key was sent to another origin',
  },
  {
    name: 'follows a hundred redirects',
    edits: [
      [
        response,
        `let response = await fetch(url, { headers, redirect: 'manual', signal });
  for (let hop = 0; hop < 100 && response.status === 302; hop++) response = await fetch(url, { headers, redirect: 'manual' });
  if (response.status === 302) throw new Error('too many redirects');`,
      ],
    ],
    scenario: 'redirect-loop',
    observed: 'requests were sent to the API',
  },
  {
    name: 'prints its headers',
    edits: [[response, `console.log(headers); ${response}`]],
    scenario: 'list',
    observed: 'the output contains the key',
  },
  {
    name: 'prints the URL of its download',
    edits: [[media, `console.error('GET', url); ${media}`]],
    scenario: 'download',
    observed: 'the output contains a signed URL',
  },
  {
    name: 'sends a POST',
    edits: [[response, response.replace('{ headers', "{ method: 'POST', headers")]],
    scenario: 'list',
    observed: 'a request has the method POST',
  },
  {
    name: 'limits the list by a query parameter',
    edits: [[url, '/v1/memories${path}?limit=100`;']],
    scenario: 'list',
    observed: 'a request to the API has a query',
  },
  {
    name: 'reads the details of each listed memory',
    edits: [[listCheck, `${listCheck}\n  for (const { id } of memories) await read(\`/\${encodeURIComponent(id)}\`);`]],
    scenario: 'list-long',
    observed: 'requests were sent to the API',
  },
  // Base URL and ids
  {
    name: 'drops the path of the base URL',
    edits: [["${MEMORY_API_URL.replace(/\\/+$/, '')}", '${new URL(MEMORY_API_URL).origin}']],
    scenario: 'base-path',
    observed: failure,
  },
  {
    name: 'does not expect a slash at the end of the base URL',
    edits: [["${MEMORY_API_URL.replace(/\\/+$/, '')}", '${MEMORY_API_URL}']],
    scenario: 'base-slash',
    observed: failure,
  },
  {
    name: 'encodes ids with encodeURI',
    edits: [[id, 'encodeURI(MEMORY_JUDGE_MEMORY_ID)']],
    scenario: 'id-slash',
    observed: failure,
  },
  {
    name: 'does not encode ids',
    edits: [[id, 'MEMORY_JUDGE_MEMORY_ID']],
    scenario: 'id-question',
    observed: 'a request to the API has a query',
  },
  {
    name: 'encodes ids twice',
    edits: [[id, `encodeURIComponent(${id})`]],
    scenario: 'id-percent',
    observed: failure,
  },
  {
    name: 'encodes ids in Latin-1',
    edits: [[id, 'escape(MEMORY_JUDGE_MEMORY_ID)']],
    scenario: 'id-unicode',
    observed: failure,
  },
  // Responses that are right
  {
    name: 'takes an empty list for an error',
    edits: [[listCheck, "if (!(memories.length > 0)) throw new Error('the response is not a list');"]],
    scenario: 'list-empty',
    observed: failure,
  },
  {
    name: 'reports only the first hundred memories',
    edits: [['return { memories };', 'return { memories: memories.slice(0, 100) };']],
    scenario: 'list-long',
    observed: 'instead of 2000',
  },
  {
    name: 'refuses fields that it does not know',
    edits: [[idCheck, `${idCheck}\n  if (Object.keys(memory).length !== 12) throw new Error('unknown field');`]],
    scenario: 'unknown-fields',
    observed: failure,
  },
  {
    name: 'reads the transcript without a check for null',
    edits: [['return { memory };', 'return { memory, segments: memory.transcript.segments.length };']],
    scenario: 'null-fields',
    observed: failure,
  },
  {
    name: 'takes a memory that is being processed for an error',
    edits: [[idCheck, `${idCheck}\n  if (memory.is_processing) throw new Error('not ready');`]],
    scenario: 'processing',
    observed: failure,
  },
  {
    name: 'ignores the offset of a date-time',
    edits: [
      ['return { memory };', 'return { memory: { ...memory, started_at: `${memory.started_at.slice(0, 19)}Z` } };'],
    ],
    scenario: 'date-offset',
    observed: 'memory.started_at is not that of the server',
  },
  {
    name: 'cuts fractions of a second',
    edits: [
      [
        'return { memory };',
        'return { memory: { ...memory, started_at: Math.floor(Date.parse(memory.started_at) / 1000) * 1000 } };',
      ],
    ],
    scenario: 'date-fraction',
    observed: 'memory.started_at is not that of the server',
  },
  {
    name: 'decodes each piece of a body by itself',
    edits: [
      [
        parse,
        `let text = '';
  for await (const piece of response.body) text += Buffer.from(piece).toString();
  return JSON.parse(text);`,
      ],
    ],
    scenario: 'slow-utf8',
    observed: 'memories[0].id is not that of the server',
  },
  // Errors and retries
  {
    name: 'takes an error for an empty list',
    edits: [
      [parse, 'return response.json().catch(() => []);'],
      [status, "if (!response.ok) return new Response('[]');"],
    ],
    scenario: '401',
    observed: success,
  },
  {
    name: 'saves the body of an error',
    edits: [[media, 'const response = await fetch(url);']],
    scenario: 'media-403',
    observed: success,
  },
  {
    name: 'ends with 0 after an error',
    edits: [['process.exitCode = 1;', '']],
    scenario: '401',
    observed: 'ok is false, and the exit code is 0',
  },
  {
    name: 'prints no result',
    edits: [[print, 'console.error(result);']],
    scenario: 'list',
    observed: 'the command printed no result (exit code 0)',
  },
  {
    name: 'gives up before it sends a request',
    edits: [[response, `if (url) throw new Error('offline'); ${response}`]],
    scenario: '500-always',
    observed: '0 requests were sent to the API',
  },
  {
    name: 'retries a hundred times at once',
    edits: [
      [
        status,
        `if (response.status >= 500 && !(headers.attempt > 100)) return send(url, { ...headers, attempt: 1 + (headers.attempt ?? 0) });\n  ${status}`,
      ],
    ],
    scenario: '503-always',
    observed: 'requests were sent to the API',
  },
  {
    name: 'retries a 404',
    edits: [
      [
        status,
        `if (response.status === 404 && !headers.again) return send(url, { ...headers, again: 1 });\n  ${status}`,
      ],
    ],
    scenario: '404',
    observed: '2 requests were sent to the API',
  },
  {
    name: 'ignores Retry-After',
    edits: [[status, retryAfter('100')]],
    scenario: 'retry-after',
    observed: early,
  },
  {
    name: 'reads Retry-After as a number only',
    edits: [[status, retryAfter("1000 * Number(response.headers.get('retry-after'))")]],
    scenario: 'retry-after-date',
    observed: early,
  },
  // Broken connections and bodies
  {
    name: 'takes a broken connection for an empty list',
    edits: [[response, response.replace(');', ").catch(() => new Response('[]'));")]],
    scenario: 'reset',
    observed: success,
  },
  {
    name: 'takes what arrived of a list',
    edits: [[parse, partialList]],
    scenario: 'list-cut-at-item',
    observed: success,
  },
  {
    name: 'takes an empty body for an empty list',
    edits: [[parse, "return JSON.parse((await response.text()) || '[]');"]],
    scenario: 'empty-body',
    observed: success,
  },
  {
    name: 'takes a page for an empty list',
    edits: [[parse, 'return response.json().catch(() => []);']],
    scenario: 'sign-in-page',
    observed: success,
  },
  {
    name: 'expects a list in another shape too',
    edits: [
      [listCheck, ''],
      [
        'return { memories };',
        'return { memories: memories.memories ?? memories.data ?? memories.items ?? memories };',
      ],
    ],
    scenario: 'other-shape',
    observed: success,
  },
  {
    name: 'has no timeout',
    edits: [[', signal });', ' });']],
    scenario: 'stall-head',
    observed: endless,
  },
  {
    name: 'has a timeout for the headers only',
    edits: [
      [
        'const signal = AbortSignal.timeout(timeout);',
        'const stop = new AbortController();\n  const timer = setTimeout(() => stop.abort(), timeout);',
      ],
      [', signal });', ', signal: stop.signal });\n  clearTimeout(timer);'],
    ],
    scenario: 'stall-body',
    observed: endless,
  },
  // Media
  {
    name: 'saves an empty file where a memory has no media',
    edits: [[mediaCheck, "if (!url) return writeFile(MEMORY_JUDGE_OUTPUT, '');"]],
    scenario: 'media-null',
    observed: success,
  },
  {
    name: 'saves what arrived of a file',
    edits: [[write, takeWhatArrives]],
    scenario: 'media-half',
    observed: otherBytes,
  },
  {
    name: 'resumes a file that has changed',
    edits: [
      [media, ''],
      [write, resume()],
    ],
    scenario: 'media-foreign-range',
    observed: otherBytes,
  },
  {
    name: 'appends a whole file to its first half',
    edits: [
      [media, ''],
      [write, resume()],
    ],
    scenario: 'media-no-ranges',
    observed: otherBytes,
  },
  {
    name: 'appends a range without a look at its position',
    edits: [
      [media, ''],
      [write, resume("if (size > 0 && response.status !== 206) throw new Error('no range');")],
    ],
    scenario: 'media-wrong-range',
    observed: otherBytes,
  },
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
