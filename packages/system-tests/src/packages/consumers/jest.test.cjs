require('./jest-smoke.mjs');
