import { accounts } from './memories.ts';

/** The keys that a run over the raw server can be given. */
export const runKeys = {
  apiKey: accounts.ada.key,
  otherAccountApiKey: accounts.grace.key,
  inactiveApiKey: accounts.gone.key,
  emptyAccountApiKey: accounts.nobody.key,
};
