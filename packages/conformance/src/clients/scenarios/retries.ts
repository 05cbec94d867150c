import { recovery, scenariosOf } from './scenario.ts';

export const retries = scenariosOf('retries', [
  recovery('500-once', 'an internal error, then the data', { status: 500 }),
  recovery('429-once', 'a rate limit, then the data', { status: 429 }),
  recovery('reset-once', 'a connection that is reset, then the data', { stop: 'before-head', by: 'reset' }),
  recovery('cut-once', 'half of a body, then the data', { stop: { share: 0.5 }, by: 'reset' }),
  {
    id: 'retry-after',
    title: 'a rate limit with a pause of 2 s, then the data',
    faults: [{ fault: { status: 429, retryAfter: 2_000 } }],
    ends: 'either',
    pause: 2_000,
  },
  {
    id: 'retry-after-date',
    title: 'status 503 until a date in 2 s, then the data',
    faults: [{ fault: { status: 503, retryAfter: 2_000, retryAfterStyle: 'date' } }],
    ends: 'either',
    pause: 2_000,
  },
  {
    id: 'retry-after-hour',
    title: 'status 503 with a pause of one hour',
    faults: [{ fault: { status: 503, retryAfter: 3_600_000 } }],
    ends: 'either',
    pause: 3_600_000,
  },
  {
    id: 'retry-after-word',
    title: 'a pause that is a word, then the data',
    faults: [{ fault: { status: 503, headers: { 'retry-after': 'soon' } } }],
    ends: 'either',
  },
]);
