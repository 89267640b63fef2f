import type { authServices } from '../auth/services.ts';
import type { Foundations } from '../foundations.ts';

/** Who is in an organization, and what each of them may do. */
export function peopleServices(_foundations: Foundations, _auth: ReturnType<typeof authServices>) {
  return {};
}
