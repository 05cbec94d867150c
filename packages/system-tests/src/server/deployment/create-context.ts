import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from '@memory-read/test-kit/repository';

/** Creates what `npm run image-context` creates after its build. */
export function createContext(folder: string): void {
  const main = join(root, 'packages/system-tests/src/packages/image-context.ts');
  execFileSync(process.execPath, [main, folder], { stdio: ['ignore', 'inherit', 'inherit'] });
}
