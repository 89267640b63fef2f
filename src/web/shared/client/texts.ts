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
  unreadable: 'This date is incomplete or does not exist. Complete it, or clear it.',
} as const;

/** Texts of the sign-in page. */
export const signInTexts = {
  title: 'Sign in',
  email: 'Email address',
  password: 'Password',
  sessionEnded: 'Your session has ended. Sign in to continue.',
  remember: 'Stay signed in for 30 days',
  forgot: 'Forgot your password?',
  back: 'Back to sign in',
} as const;

export const forgotPasswordTexts = {
  title: 'Forgot your password?',
  about: 'Enter your email address. We will send you a link to set a new password.',
  submit: 'Send link',
  sent: {
    title: 'Check your email',
    about:
      'If an account with this address exists, we have sent it a link. The link works once and expires after one hour.',
  },
  noMail: {
    title: 'Ask an administrator',
    about:
      'This installation cannot send email. Ask an administrator of your organization for a link to set a new password.',
  },
} as const;
