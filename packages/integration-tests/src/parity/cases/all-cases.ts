import type { ParityCase } from '../parity-case.ts';
import { authenticationCases } from './authentication.ts';
import { idCases } from './ids.ts';
import { mediaCases } from './media.ts';
import { memoryCases } from './memories.ts';
import { methodCases } from './methods.ts';
import { pathCases } from './paths.ts';
import { headerCases } from './request-headers.ts';

/** Every request of the suite. Their titles differ, because the golden file names them. */
export const allCases: readonly ParityCase[] = [
  ...authenticationCases,
  ...methodCases,
  ...pathCases,
  ...idCases,
  ...headerCases,
  ...memoryCases,
  ...mediaCases,
];
