import { memorySchema } from '@memory-read/contract';
import { buildOpenApiDocument } from '@memory-read/contract/openapi';

const headers = { authorization: `Bearer ${process.env.MEMORY_API_KEY}` };
const response = await fetch('https://api.example.com/v1/memories/mem_1', { headers });

// #region memory-schema
const result = memorySchema['~standard'].validate(await response.json());
if (result.issues)
  throw new Error(result.issues.map(({ path, message }) => `${path?.join('.')}: ${message}`).join('\n'));
console.log(result.value.name);
// #endregion

// #region openapi
const document = buildOpenApiDocument({ serverUrl: 'https://api.example.com' });
console.log(Object.keys(document.paths));
// #endregion
