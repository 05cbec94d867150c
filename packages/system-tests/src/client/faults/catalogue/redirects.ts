import type { Fault } from '../fault.ts';
import { head } from '../http-text.ts';

/** No redirect is followed: the key goes nowhere else. */
export const redirects: readonly Fault[] = [
  ...[301, 302, 303, 307, 308].map((status) =>
    redirect(`a ${status} to another server`, status, '{other}/v1/memories'),
  ),
  redirect('a 302 to the same address, for ever', 302, '{origin}/v1/memories'),
  redirect('a 302 to nowhere', 302, 'http://'),
  redirect('a 302 to a program', 302, 'javascript:alert(1)'),
  redirect('a 302 to a signed URL', 302, '{other}/a?signature=mrk_signature'),
  {
    name: 'a 302 without a Location',
    answers: [[head(302, { 'content-length': '0' })]],
    expected: { ends: 'unexpected_response', attempts: 1, error: { status: 302 } },
  },
];

function redirect(name: string, status: number, location: string): Fault {
  return {
    name,
    answers: [[head(status, { location, 'content-length': '0' })]],
    expected: { ends: 'unexpected_response', attempts: 1, error: { status }, says: 'never followed' },
  };
}
