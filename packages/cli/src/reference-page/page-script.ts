import * as samples from './samples.browser.ts';
import * as tryIt from './try-it.browser.ts';

/** Script of the page: the functions as they run here, because a bundler may have renamed them, and two calls. */
export const pageScript = [
  ...Object.values({ ...tryIt, ...samples }),
  `${tryIt.startTryIt.name}();`,
  `${samples.startSamples.name}();\n`,
].join('\n');
