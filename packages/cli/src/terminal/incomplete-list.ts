/** A warning: a memory that was left out has no readable id, or the client does not say what was left out. */
export const incompleteListWarning =
  'The list does not show which memories were left out. No memory is marked as missing.';
