/** Every text of the components of the design system. The applications have texts of their own. */
export const componentTexts = {
  cancel: 'Cancel',
  tryAgain: 'Try again',
  showMore: 'Show more',
  loading: 'Loading',
  skip: 'Skip to content',
  unreachable: 'The server cannot be reached. Check your connection and try again.',
  copy: 'Copy',
  copied: 'Copied',
  announceCopied: (name: string) => `${name} copied`,
  copyBlocked: 'Your browser did not allow copying. Select the text and copy it.',
  show: 'Show',
  hide: 'Hide',
  showLabel: (label: string) => `Show ${label.toLowerCase()}`,
  today: 'today',
} as const;
