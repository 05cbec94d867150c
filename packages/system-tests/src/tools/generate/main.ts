/** npm run generate [-- TEXT]⏎⏎Writes all generated files, or only those whose paths contain the text. */
import { root } from '@memory-read/test-kit/repository';
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
