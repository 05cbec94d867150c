import { parseDateTime } from '@memory-read/contract';

// #region parse-date-time
console.log(parseDateTime('2026-03-01T12:00')); // 1772366400000
console.log(parseDateTime('2026-02-30T12:00:00Z')); // undefined
// #endregion
