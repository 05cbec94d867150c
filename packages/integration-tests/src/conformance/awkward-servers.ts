import { formatReport, runConformance } from '@memory-read/conformance';
import fc from 'fast-check';
import { expect } from 'vitest';

const apiKey = 'KEYSECRET_0123456789';
/** Secrets that no report may contain. */
export const awkwardKeys = { apiKey, otherAccountApiKey: `${apiKey}_other`, emptyAccountApiKey: `${apiKey}_empty` };

/** Runs all rules against servers whose responses do not match the requests. Each run must end and reveal no secret. */
export async function checkAwkwardServers(numRuns: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(answers(), async (all) => {
      const options = { baseUrl: 'https://api.example', ...awkwardKeys, media: true, profile: 'reference' } as const;
      const report = await runConformance({ ...options, fetch: answerInTurn(all) });
      expect(report.requests).toBeLessThan(60);
      const told = (['pretty', 'json', 'junit'] as const).map((format) => formatReport(report, format));
      expect(told.join('').match(/.{0,80}SECRET.{0,40}/)).toBeNull();
    }),
    { numRuns },
  );
}

interface AwkwardAnswer {
  status: number;
  body: unknown;
  contentType: string;
}

function answerInTurn(all: readonly AwkwardAnswer[]): typeof globalThis.fetch {
  let count = 0;
  return async () => {
    const { status, body, contentType } = all[count++ % all.length] as AwkwardAnswer;
    const text = [204, 302].includes(status) ? null : JSON.stringify(body);
    return new Response(text, { status, headers: { 'content-type': contentType } });
  };
}

function answers(): fc.Arbitrary<AwkwardAnswer[]> {
  const answer = fc.record({
    status: fc.constantFrom(200, 200, 200, 200, 204, 302, 401, 404, 429, 500),
    body: fc.oneof(fc.array(memory, { maxLength: 4 }), memory, awkward),
    contentType: fc.constantFrom('application/json', 'text/html', apiKey),
  });
  return fc.array(answer, { minLength: 1, maxLength: 8 });
}

const awkward = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom('.', '..', '', '\ud800', '\ud800/', apiKey, `https://a.test/?signature=${apiKey}`, 'a?b=QUERYSECRET'),
  fc.constantFrom({ toString: null }, [[[]]], { toString: 1, valueOf: 1 }, -0, 1e308),
);
const memory = fc.record({
  id: awkward,
  name: awkward,
  started_at: awkward,
  ended_at: awkward,
  is_processing: fc.oneof(fc.boolean(), awkward),
  user_id: awkward,
  duration_seconds: awkward,
  audio_url: fc.oneof(fc.webUrl(), awkward),
  video_url: awkward,
  preview_image_url: awkward,
  transcript: fc.oneof(fc.record({ segments: fc.array(fc.record({ start_at: awkward, speaker: awkward })) }), awkward),
  summary: fc.oneof(fc.record({ quick_summary: awkward, key_takeaways: awkward }), awkward),
});
