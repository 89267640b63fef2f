import type { Caller } from '../../domain/access/caller.ts';

/** A user that the caller may act on; the user may not exist. */
export interface UserScope {
  userId: number;
  /** The caller. For their own account, in their home organization. */
  by: Caller;
  isSelf: boolean;
}
