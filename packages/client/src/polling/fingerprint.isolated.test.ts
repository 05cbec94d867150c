import { sampleListedMemory } from '@memory-read/test-kit/sample-memory';
import { expect, test, vi } from 'vitest';

const today = await import('./fingerprint.ts');

/** The module for an API with two more fields. */
async function later() {
  vi.resetModules();
  vi.doMock('@memory-read/contract/fields', async (original) => {
    const fields = await original<typeof import('@memory-read/contract/fields')>();
    const added = { nullable: true, from: 'record', addedIn: '0.2.0' } as const;
    const location = { location: { ...added, type: 'string', watched: 'value' } };
    const mood = { mood: { ...added, type: 'string', watched: 'presence' } };
    return { ...fields, memoryFields: { ...location, ...fields.memoryFields, ...mood } };
  });
  return import('./fingerprint.ts');
}

test('a fingerprint of the first twelve fields has the format of stored states', () => {
  expect(today.createFingerprint(sampleListedMemory(), false)).toBe(
    '0 19eqlcbcxco 1psraun3jn5 1mvpesx2c47 2c2a85pdct 1289qkf6wm0 0 1 0 0',
  );
  expect(today.changedFields('0 a b c d e 0 0 0 0', '0 x x x x x 1 1 1 1')).toEqual([
    'name',
    'started_at',
    'ended_at',
    'duration_seconds',
    'summary',
    'is_processing',
    'audio_url',
    'video_url',
    'preview_image_url',
  ]);
});

test('an added field that is null does not change fingerprints of older states', async () => {
  const { createFingerprint, changedFields } = await later();
  const before = today.createFingerprint(sampleListedMemory(), false);
  for (const absent of [{}, { location: null, mood: null }, { location: undefined }]) {
    expect(createFingerprint(sampleListedMemory(absent), false)).toBe(before);
  }
  expect(changedFields(before, before)).toEqual([]);
});

test('a new value of an added field is one change', async () => {
  const { createFingerprint, changedFields, fingerprintPattern } = await later();
  const before = today.createFingerprint(sampleListedMemory(), false);
  const kyoto = createFingerprint(sampleListedMemory({ location: 'Kyoto' }), false);
  const nara = createFingerprint(sampleListedMemory({ location: 'Nara' }), false);
  expect(changedFields(before, kyoto)).toEqual(['location']);
  expect(changedFields(kyoto, nara)).toEqual(['location']);
  expect(changedFields(nara, before)).toEqual(['location']);
  expect(kyoto).not.toContain('Kyoto');
  expect(kyoto).toMatch(fingerprintPattern);

  const calm = createFingerprint(sampleListedMemory({ location: 'Nara', mood: 'calm' }), false);
  const tired = createFingerprint(sampleListedMemory({ location: 'Nara', mood: 'tired' }), false);
  expect(changedFields(nara, calm)).toEqual(['mood']);
  expect(changedFields(calm, tired)).toEqual([]);
});

test('reads a state with added fields', async () => {
  const { createFingerprint } = await later();
  const fingerprint = createFingerprint(sampleListedMemory({ location: 'Kyoto' }), false);
  expect(fingerprint).toMatch(today.fingerprintPattern);
  expect(today.changedFields(fingerprint, today.createFingerprint(sampleListedMemory(), false))).toEqual([]);
});
