import * as browser from './try-it.browser.ts';

/**
 * Script of the page: the functions as they run here, because a bundler may have renamed them, and a call of the first.
 */
export const tryItScript = `${Object.values(browser).join('\n')}\n${browser.startTryIt.name}();\n`;
