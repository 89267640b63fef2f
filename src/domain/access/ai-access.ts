import { forbidden } from '../../lib/errors.ts';
import type { Caller } from './caller.ts';

/** Throws 403 `ai_disabled` if an admin switched AI off for the user. */
export function requireAiAccess({ aiAccess }: Pick<Caller, 'aiAccess'>): void {
  if (!aiAccess) throw forbidden('AI is switched off for you; an admin can switch it on', 'ai_disabled');
}
