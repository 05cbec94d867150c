/**
 * npm run generate [-- TEXT]
 *
 * Writes everything that is generated, or only the files whose paths hold the text.
 */
import { root } from '../../repository.ts';
import { generate } from './generate.ts';
import { generators } from './generators.ts';

const [text = ''] = process.argv.slice(2);
const wanted = generators.filter(({ path }) => path.includes(text));
if (wanted.length === 0) {
  console.error(`Failed to generate: no generated file has ${text} in its path. Choose one of these:`);
  for (const { path } of generators) console.error(path);
  process.exitCode = 2;
}
for (const generator of wanted) {
  await generate([generator], root);
  console.log(generator.path);
}
