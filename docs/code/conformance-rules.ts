import { conformanceRules, uncheckableStatements } from '@memory-read/conformance';

// #region conformance-rules
const secondSection = conformanceRules.filter(({ section }) => section.startsWith('2'));
console.log(secondSection.map(({ id }) => id).join(', '));
// #endregion

// #region uncheckable-statements
console.log(uncheckableStatements.find(({ statement }) => statement === '1.4')?.reason);
// #endregion
