import { bodies } from './bodies.ts';
import { connections } from './connections.ts';
import { errors } from './errors.ts';
import { ids } from './ids.ts';
import { limits } from './limits.ts';
import { media } from './media.ts';
import { redirects } from './redirects.ts';
import { requests } from './requests.ts';
import { responses } from './responses.ts';
import { retries } from './retries.ts';
import type { Scenario } from './scenario.ts';

/** All scenarios, in the order of the results. */
export const scenarios: readonly Scenario[] = [
  ...requests,
  ...ids,
  ...responses,
  ...errors,
  ...retries,
  ...connections,
  ...bodies,
  ...limits,
  ...redirects,
  ...media,
];
