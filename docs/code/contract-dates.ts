import { parseDateTime } from '@memory-read/contract';
import { clockIn } from '@memory-read/contract/date-time';

// #region parse-date-time
console.log(parseDateTime('2026-03-01T12:00')); // 1772366400000
console.log(parseDateTime('2026-02-30T12:00:00Z')); // undefined
// #endregion

// #region clock-in
console.log(clockIn('Europe/Berlin').format(Date.UTC(2026, 9, 25, 0, 30))); // 2026-10-25 02:30+02:00
// #endregion
