import guide from './playwright.config.ts';

const launchOptions = JSON.parse(process.env.CHROMIUM ?? '{}');

/** The configuration of the guide, with the Chromium of the tests. */
export default { ...guide, testMatch: '*.spec.ts', use: { ...guide.use, launchOptions } };
