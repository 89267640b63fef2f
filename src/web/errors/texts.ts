/** Every text of the error pages. */
export const texts = {
  incompleteLink: {
    title: 'This link is incomplete',
    text: 'Open the whole link from the message you received, or ask the sender for a new one.',
  },
  notFound: {
    title: 'Page not found',
    text: 'Check that the address is correct and complete.',
  },
  tooManyRequests: {
    title: 'Too many requests',
    text: 'Wait a few minutes, then load the page again.',
  },
  unavailable: {
    title: 'This page is unavailable',
    text: 'Load the page again in a few minutes.',
  },
  internal: {
    title: 'Something went wrong',
    text: (requestId: string) =>
      `Try again later. If it happens again, send this request ID to your administrator: ${requestId}`,
  },
  refused: { title: 'This page cannot be shown' },
  startPage: 'Go to the start page',
} as const;
