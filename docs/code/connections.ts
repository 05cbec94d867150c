import { MemoryClient } from '@memory-read/client';
import { Agent, EnvHttpProxyAgent, ProxyAgent } from 'undici';
import { fetchThrough } from './fetch-through.ts';

// #region proxy
const client = new MemoryClient({
  baseUrl: 'https://api.example.com',
  apiKey: process.env.MEMORY_API_KEY,
  fetch: fetchThrough(new ProxyAgent('http://proxy.example.com:3128')),
});
// #endregion

// #region environment-proxy
const proxied = client.withOptions({ fetch: fetchThrough(new EnvHttpProxyAgent()) });
// #endregion

// #region proxy-credentials
const credentials = Buffer.from(`${process.env.PROXY_USER}:${process.env.PROXY_PASSWORD}`).toString('base64');
const proxy = new ProxyAgent({ uri: 'http://proxy.example.com:3128', token: `Basic ${credentials}` });
// #endregion

// #region pool
const pool = new Agent({ connections: 10, keepAliveTimeout: 30_000 });
const pooled = client.withOptions({ fetch: fetchThrough(pool) });
// #endregion

// #region patience
const patience = new Agent({ headersTimeout: 900_000, bodyTimeout: 900_000 });
const patient = client.withOptions({ fetch: fetchThrough(patience), timeout: 900_000, totalTimeout: 1_800_000 });
// #endregion

console.log([proxied, pooled, patient].map(({ constructor: { name } }) => name));

// #region close
await pool.close();
// #endregion
await Promise.all([proxy.close(), patience.close()]);
