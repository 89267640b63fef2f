import type { Caller } from '../../domain/access/caller.ts';

/** A user that somebody may do something with; whether there is one of this id is not known yet. */
export interface UserScope {
  userId: number;
  /** Who asks. Where it is about themselves they are at home, wherever else they act. */
  by: Caller;
  isSelf: boolean;
}
