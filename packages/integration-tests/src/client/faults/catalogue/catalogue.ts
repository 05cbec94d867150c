import type { FaultGroup } from '../fault.ts';
import { aborts } from './aborts.ts';
import { cutBodies, wrongBodies } from './bodies.ts';
import { certificateFaults, connectionFaults } from './connections.ts';
import { framings } from './framing.ts';
import { passingFaults, retryAfters } from './retries.ts';
import { stalls } from './stalls.ts';
import { failures, redirects, refusals } from './statuses.ts';

/** Every fault that the client is tested with. A mock server plays it, and `runFault` checks the result. */
export const catalogue: readonly FaultGroup[] = [
  { title: 'The connection fails', faults: connectionFaults },
  { title: 'TLS', faults: certificateFaults },
  { title: 'The response stalls', faults: stalls },
  { title: 'The response is incomplete', faults: cutBodies },
  { title: 'The response is malformed HTTP', isNodeOnly: true, faults: framings },
  { title: 'The body is not the expected one', faults: wrongBodies },
  { title: 'The server rejects the request', faults: refusals },
  { title: 'The server fails', faults: failures },
  { title: 'The server redirects', faults: redirects },
  { title: 'The fault is transient', faults: passingFaults },
  { title: 'Retry-After', faults: retryAfters },
  { title: 'The caller aborts', faults: aborts },
];

export const faults = catalogue.flatMap((group) => group.faults);
