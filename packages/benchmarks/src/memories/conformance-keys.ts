/** Every key that a conformance run can make use of, under the name of its option. */
export const conformanceKeys = {
  apiKey: 'mrk_0000000000000000000000000000000000000000001',
  otherAccountApiKey: 'mrk_0000000000000000000000000000000000000000002',
  inactiveApiKey: 'mrk_0000000000000000000000000000000000000000003',
  emptyAccountApiKey: 'mrk_0000000000000000000000000000000000000000004',
};
