/** The report of `smoke.mjs` of the consumers, wherever it runs. */
export const smokeReport = {
  listed: 12,
  isValid: true,
  hasCues: true,
  errors: ['MemoryNotFoundError not_found', 'ServerError server'],
};
