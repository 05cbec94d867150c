import { readTimeRange } from '@memory-read/client/search';

// #region read-time-range
const { since, until } = readTimeRange({ since: '2026-10-25', until: '2026-10-25' }, { timeZone: 'Europe/Berlin' });
console.log((until - since) / 3_600_000); // 25, because the clock is set back
// #endregion
