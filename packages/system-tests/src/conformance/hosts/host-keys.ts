/** The keys of what every host serves: the same everywhere, because no host can tell a test what it made up. */
export const hostKeys = {
  apiKey: 'mrk_of_ada_who_has_memories',
  otherAccountApiKey: 'mrk_of_grace_who_has_others',
  emptyAccountApiKey: 'mrk_of_nobody_who_has_none',
  inactiveApiKey: 'mrk_of_ada_that_was_revoked',
};
