import { catalogue } from './catalogue/catalogue.ts';
import { renderCatalogue } from './fault-tables.ts';

/** The page with the catalogue as it is now. */
export function withCatalogue(guide: string): string {
  const heading = '## Every fault that is tried\n';
  const [written = ''] = guide.split(heading);
  const intro = `A server of their own plays these on real connections. Attempts are those made, of those that the options of the call
allow. All of it is data in \`packages/system-tests/src/client/faults/catalogue\`, from which this part is written.`;
  return `${written}${heading}\n${intro} ${renderCatalogue(catalogue)}\n`;
}
