import { counted } from './counts.ts';

/** Of something that is deleted now. `days`: the setting of the server. */
export const restorable = (days: number): string => `You can restore it for ${counted(days, 'day', 'days')}.`;

/** What is common to deleted surveys, dashboards and reports, which can be restored. */
export const trashTexts = {
  title: 'Recently deleted',
  about: (days: number) =>
    `You can restore each of these for ${counted(days, 'day', 'days')} after it was deleted. Then it is erased.`,
  deletedAt: 'Deleted',
  undo: 'Undo',
  restore: 'Restore',
  restoreName: (name: string) => `Restore ${name}`,
  restored: (name: string) => `${name} restored`,
} as const;
