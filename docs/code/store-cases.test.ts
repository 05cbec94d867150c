import { createInMemoryStore } from '@memory-read/server';
import { memoryStoreCases, toStoreHarness } from '@memory-read/server/testing';
import { test } from 'vitest';

// #region memory-store-cases
const createStore = async () => toStoreHarness(createInMemoryStore());
for (const { title, run } of memoryStoreCases(createStore)) test(title, run);
// #endregion
