import { formatReport, runConformance } from '@memory-read/conformance';

const report = await runConformance({
  baseUrl: 'https://api.example.com',
  apiKey: process.env.MEMORY_API_KEY ?? '',
  otherAccountApiKey: process.env.OTHER_API_KEY, // of a second account with memories
  inactiveApiKey: process.env.INACTIVE_API_KEY, // of a key that was revoked
  emptyAccountApiKey: process.env.EMPTY_API_KEY, // of an account without memories
  media: true, // follow signed URLs, once each
});
console.log(formatReport(report, 'pretty'));
