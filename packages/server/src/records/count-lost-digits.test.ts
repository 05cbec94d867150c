import { expect, test } from 'vitest';
import { createRecord, createTranscript } from '../testing/test-records.ts';
import { countLostDigits } from './count-lost-digits.ts';

test('date-times with digits beyond milliseconds are counted, zeros are not', () => {
  const segment = {
    speaker: 'Speaker 1',
    start_at: '2026-03-01T09:00:00.1234567',
    end_at: '2026-03-01T09:00:01.5Z',
    text: '',
  };
  const fields = {
    id: 'one',
    started_at: '2026-03-01T09:00:00.000000001Z',
    ended_at: '2026-03-01T09:00:00.123000+01:00',
  };
  expect(countLostDigits(createRecord({ ...fields, transcript: { segments: [segment, segment] } }))).toBe(3);
  expect(countLostDigits(createRecord({ id: 'one', transcript: null }))).toBe(0);
  expect(countLostDigits(createRecord({ id: 'one', transcript: createTranscript('') }))).toBe(0);
});
