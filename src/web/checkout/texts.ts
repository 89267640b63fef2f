/** Every text of the checkout page, by the state of the order. */
export const texts = {
  states: {
    sandbox: {
      title: 'Buy credits',
      text: 'This is a test. You do not need a card, and the credits are added to your balance.',
    },
    waiting: {
      title: 'Waiting for payment',
      text: 'Credits are added when the payment is confirmed, usually within a minute. If you left without paying, you were not charged.',
    },
    paid: { title: 'Credits added', text: 'The credits are in your balance.' },
    cancelled: {
      title: 'Order cancelled',
      text: 'You were not charged and no credits were added. You can close this page.',
    },
    expired: {
      title: 'This order has expired',
      text: 'Orders expire after one day. You were not charged. You can order the credits again.',
    },
    unknown: {
      title: 'Order not found',
      text: 'The link may be incomplete. Check that you copied all of it.',
    },
  },
  noMoney: { sandbox: 'You will not be charged.', paid: 'You were not charged.' },
  pageTitle: (title: string) => `${title} · Canvass`,
  sandbox: 'Sandbox',
  organization: 'For',
  credits: 'Credits',
  price: 'Price',
  toPay: 'You pay',
  paid: 'Paid',
  pay: 'Pay (sandbox)',
  cancel: 'Cancel',
  refresh: 'Check again',
  continue: 'Continue',
} as const;
