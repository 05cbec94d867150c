import './jest-smoke.mjs';
