/** A memory that was left out has no readable id. The other reason, a copied list, does not occur here. */
export const incompleteListWarning =
  'The list does not show which memories were left out, as one has no readable id. No memory is marked as missing or purged.';
