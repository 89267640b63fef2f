/** The codes in the API and the database: 0 Deleted, 1 Active, 2 Pending (needs an admin's approval), 3 Suspended. */
export const USER_STATUSES = [0, 1, 2, 3] as const;
export type UserStatus = (typeof USER_STATUSES)[number];

export const DELETED = 0;
export const ACTIVE = 1;
export const PENDING = 2;
const SUSPENDED = 3;

export const USER_STATUS_NAMES: Readonly<Record<UserStatus, string>> = {
  [DELETED]: 'Deleted',
  [ACTIVE]: 'Active',
  [PENDING]: 'Pending',
  [SUSPENDED]: 'Suspended',
};

/** An admin's action on an account. */
export type StatusAction = 'approve' | 'reject' | 'suspend' | 'reactivate';

const TRANSITIONS: Readonly<Record<StatusAction, { from: UserStatus; to: UserStatus }>> = {
  approve: { from: PENDING, to: ACTIVE },
  reject: { from: PENDING, to: DELETED },
  suspend: { from: ACTIVE, to: SUSPENDED },
  reactivate: { from: SUSPENDED, to: ACTIVE },
};

/** Returns the status after an action; null if the current status does not allow the action. */
export function statusAfter(action: StatusAction, status: UserStatus): UserStatus | null {
  const { from, to } = TRANSITIONS[action];
  return status === from ? to : null;
}

/** Returns the only status that allows an action. */
export const requiredStatus = (action: StatusAction): UserStatus => TRANSITIONS[action].from;
