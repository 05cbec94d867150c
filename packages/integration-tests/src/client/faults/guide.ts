import { catalogue } from './catalogue/catalogue.ts';
import { renderCatalogue } from './fault-tables.ts';

/** Returns the page with the current catalogue. */
export function withCatalogue(guide: string): string {
  const heading = '## Every tested fault\n';
  const [written = ''] = guide.split(heading);
  const intro = `A test server produces each fault on a real connection. The column "Attempts" has the number of attempts that the client
made, and the number that the options of the call allow. The faults are data in
\`packages/integration-tests/src/client/faults/catalogue\`, and a program writes these tables from them.`;
  return `${written}${heading}\n${intro} ${renderCatalogue(catalogue)}\n`;
}
