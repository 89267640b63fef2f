import { counted } from './counts.ts';

/** Texts about loops. Not part of `texts`, which every page loads. */
export const loopTexts = {
  title: 'Repeat',
  over: 'Show this block',
  once: 'Once',
  sources: {
    chosen: 'For each option that the person chose',
    not_chosen: 'For each option that the person did not choose',
    listed: 'For each item of a list',
  },
  question: 'Options of the question',
  order: 'Order of the items',
  orders: {
    fixed: 'As written',
    random: 'Random',
    least_filled: 'Least filled first: items that the fewest people have',
  },
  ordersInShort: { random: 'random order', least_filled: 'least filled first' },
  max: 'At most',
  all: 'All items',
  textsAbout:
    'Write {{item.label}} in the texts of these pages where the name of the item belongs, or {{item.price}} for its attribute “price”.',
  code: 'Code',
  label: 'Label',
  codeOf: (number: number) => `Code of item ${number}`,
  labelOf: (number: number) => `Label of item ${number}`,
  attributeName: (name: string) => `Name of the attribute ${name}`,
  attributeOf: (name: string, number: number) => `${name} of item ${number}`,
  add: 'Add item',
  addAttribute: 'Add attribute',
  remove: (code: string) => `Remove item ${code}`.trim(),
  inShort: {
    chosen: (question: string, _: number) => `repeated for what is chosen in ${question}`,
    not_chosen: (question: string, _: number) => `repeated for what is not chosen in ${question}`,
    listed: (_: string, count: number) => `repeated for ${counted(count, 'item', 'items')}`,
  },
  rows: 'Rows',
  rowOfResponse: 'One for each response',
  rowOfItem: (name: string) => `One for each response and item of ${name}`,
  atMost: (max: number) => `at most ${max}`,
} as const;
