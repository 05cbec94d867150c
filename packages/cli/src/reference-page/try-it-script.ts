import * as browser from './try-it.browser.ts';

/** The page's script: the functions as they run here, which a bundler may have renamed, and a call of the first. */
export const tryItScript = `${Object.values(browser).join('\n')}\n${browser.startTryIt.name}();\n`;
