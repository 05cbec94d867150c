import { edgeCases } from '@memory-read/fixtures';

// #region one
const name = edgeCases.markupText.name;
console.log(name.startsWith('<script>'), edgeCases.fullDay.duration_seconds);
// #endregion
