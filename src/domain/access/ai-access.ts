import { forbidden } from '../../lib/errors.ts';
import type { Caller } from './caller.ts';

/** 403 `ai_disabled` for whom an admin has switched it off. */
export function requireAiAccess({ aiAccess }: Pick<Caller, 'aiAccess'>): void {
  if (!aiAccess) throw forbidden('AI is switched off for you; an admin can switch it on', 'ai_disabled');
}
