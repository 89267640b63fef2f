/** What is common to deleted surveys, dashboards and reports, which can be restored. */
export const trashTexts = {
  title: 'Recently deleted',
  about: 'Each can be restored for 30 days after it was deleted. Then it is erased.',
  deletedAt: 'Deleted',
  undo: 'Undo',
  restore: 'Restore',
  restoreName: (name: string) => `Restore ${name}`,
  restored: (name: string) => `${name} restored`,
} as const;
