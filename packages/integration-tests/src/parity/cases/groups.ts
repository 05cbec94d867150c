import type { ParityGroup } from '../parity-case.ts';
import { authentication } from './authentication.ts';
import { ids } from './ids.ts';
import { media } from './media.ts';
import { memories } from './memories.ts';
import { methodsGroup } from './methods.ts';
import { pathsGroup } from './paths.ts';
import { requestHeaders } from './request-headers.ts';

/** Every request of the parity suite, by its subject. */
export const groups: readonly ParityGroup[] = [
  authentication,
  methodsGroup,
  pathsGroup,
  ids,
  requestHeaders,
  memories,
  media,
];

export const cases = groups.flatMap((group) => group.cases);
