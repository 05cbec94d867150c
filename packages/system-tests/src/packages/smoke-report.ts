/** The report that `consumers/smoke.mjs` must print, wherever it runs. */
export const smokeReport = {
  listed: 12,
  isValid: true,
  hasCues: true,
  errors: ['MemoryNotFoundError not_found', 'ServerError server'],
};
