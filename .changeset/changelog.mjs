// Formats changelogs for readers: without commit hashes, and with all updated dependencies in one line.

/** One entry of a changelog. */
async function getReleaseLine({ summary }) {
  const [first, ...rest] = summary.split('\n').map((line) => line.trimEnd());
  return [`- ${first}`, ...rest.map((line) => (line === '' ? '' : `  ${line}`))].join('\n');
}

/** What says that a package only takes newer ones of this repository. */
async function getDependencyReleaseLine(_changesets, dependencies) {
  if (dependencies.length === 0) return '';
  const taken = dependencies.map(({ name, newVersion }) => `\`${name}\` ${newVersion}`);
  return `- Takes ${taken.join(', ')}.`;
}

export default { getReleaseLine, getDependencyReleaseLine };
