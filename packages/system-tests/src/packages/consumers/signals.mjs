// Prints how calls end whose signal is aborted after a time, while garbage is collected again and again.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { MemoryClient } from '@memory-read/client';
import { runConformance } from '@memory-read/conformance';

setFlagsFromString('--expose-gc');
const collecting = setInterval(runInNewContext('gc'), 5);
const fetch = () => new Promise(() => {});
const client = new MemoryClient({ baseUrl: 'https://api.example.com', apiKey: 'sk_test', fetch });
const caller = new AbortController();
const kept = [];
const keep = (signal) => {
  kept.push(signal);
  return signal;
};

const signals = {
  'a timeout': () => AbortSignal.timeout(50),
  'a kept signal of a timeout and another': () => keep(AbortSignal.any([AbortSignal.timeout(50), caller.signal])),
  'a signal of a kept timeout and another': () => AbortSignal.any([keep(AbortSignal.timeout(50)), caller.signal]),
  'a signal of two controllers': () => {
    const late = new AbortController();
    setTimeout(() => late.abort(), 50);
    return AbortSignal.any([late.signal, caller.signal]);
  },
};
for (const [title, createSignal] of Object.entries(signals)) {
  const error = await client.listMemories({ signal: createSignal(), totalTimeout: 250 }).catch((reason) => reason);
  console.log(`${title}: ${error.name}`);
}
const options = { baseUrl: 'https://api.example.com', apiKey: 'sk_test', fetch, timeout: 50, totalTimeout: 1_000 };
console.log(`requests of a conformance run: ${(await runConformance(options)).requests}`);
clearInterval(collecting);
console.log(`kept signals: ${kept.length}`);
