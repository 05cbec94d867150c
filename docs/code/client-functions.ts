// #region client-functions
import { createClient, getMemory, listMemories } from '@memory-read/client/functions';

const client = createClient();
const [newest] = await listMemories(client);
if (newest) console.log((await getMemory(client, newest.id)).summary?.quick_summary);
// #endregion
