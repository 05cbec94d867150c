import type { FaultGroup } from '../fault.ts';
import { aborts } from './aborts.ts';
import { cutBodies, wrongBodies } from './bodies.ts';
import { certificateFaults, connectionFaults } from './connections.ts';
import { framings } from './framing.ts';
import { passingFaults, retryAfters } from './retries.ts';
import { stalls } from './stalls.ts';
import { failures, redirects, refusals } from './statuses.ts';

/** Every fault that the client is put against, as data: the fault server plays it, `runFault` judges it. */
export const catalogue: readonly FaultGroup[] = [
  { title: 'The connection fails', faults: connectionFaults },
  { title: 'TLS', faults: certificateFaults },
  { title: 'Nothing comes any more', faults: stalls },
  { title: 'The answer does not come whole', faults: cutBodies },
  { title: 'The answer is bent HTTP', isNodeOnly: true, faults: framings },
  { title: 'The answer is not what was asked for', faults: wrongBodies },
  { title: 'The server refuses', faults: refusals },
  { title: 'The server fails', faults: failures },
  { title: 'The server redirects', faults: redirects },
  { title: 'The fault passes', faults: passingFaults },
  { title: 'Retry-After', faults: retryAfters },
  { title: 'The caller aborts', faults: aborts },
];

export const faults = catalogue.flatMap((group) => group.faults);
