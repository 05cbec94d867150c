import { sampleListedMemory } from '@memory-read/test-kit/sample-memory';
import { expect, test, vi } from 'vitest';
import type { ListedMemory } from '../index.ts';
import { findChanges } from './memory-changes.ts';

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

const memory = sampleListedMemory();
const places = { none: memory, kyoto: { ...memory, location: 'Kyoto' }, nara: { ...memory, location: 'Nara' } };

test('a fingerprint of the first twelve fields has the format of stored states', () => {
  expect(today.createFingerprint(memory, false)).toBe(
    '0 19eqlcbcxco egrrrfwxrv 1biuz3b3ui9 2c2a85pdct 1289qkf6wm0 0 1 0 0',
  );
  expect(today.changedFields('0 a b c d e 1 0 1 1', memory)).toEqual([
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
  const before = today.createFingerprint(memory, false);
  for (const absent of [{}, { location: null, mood: null }, { location: undefined }]) {
    expect(createFingerprint(sampleListedMemory(absent), false)).toBe(before);
    expect(changedFields(before, sampleListedMemory(absent))).toEqual([]);
  }
});

test('a new value of an added field is one change', async () => {
  const { createFingerprint, changedFields, fingerprintPattern } = await later();
  const [none, kyoto, nara] = [places.none, places.kyoto, places.nara].map((each) => createFingerprint(each, false));
  expect(none).toBe(today.createFingerprint(memory, false));
  expect(changedFields(String(none), places.kyoto)).toEqual(['location']);
  expect(changedFields(String(kyoto), places.nara)).toEqual(['location']);
  expect(changedFields(String(nara), places.none)).toEqual(['location']);
  expect(kyoto).not.toContain('Kyoto');
  expect(kyoto).toMatch(fingerprintPattern);

  const [calm, tired] = ['calm', 'tired'].map((mood) => sampleListedMemory({ location: 'Nara', mood }));
  expect(changedFields(String(nara), calm as ListedMemory)).toEqual(['mood']);
  expect(changedFields(createFingerprint(calm as ListedMemory, false), tired as ListedMemory)).toEqual([]);
});

test('reads and keeps a state with added fields', async () => {
  const { createFingerprint } = await later();
  const fingerprint = createFingerprint(places.kyoto, false);
  expect(fingerprint).toMatch(today.fingerprintPattern);
  expect(today.changedFields(fingerprint, memory)).toEqual([]);
  expect(findChanges(new Map([[memory.id, fingerprint.replace('0', '1')]]), [memory])).toEqual([]);
});
