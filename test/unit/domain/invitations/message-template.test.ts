import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  renderMessage,
  renderSubject,
  type MessageValues,
  templateProblems,
} from '../../../../src/domain/invitations/messages.ts';

const ana: MessageValues = {
  name: 'Ana',
  email: 'ana@example.org',
  attributes: { city: 'São Paulo', age: 42 },
  survey: 'City life',
  link: 'https://r.example/s/T',
  unsubscribe: 'https://r.example/u/T',
  unsubscribeLabel: 'No more',
};
const link = (href: string, text = href) => ({ tag: 'a', href, children: [text] });
const paragraph = (...children: unknown[]) => ({ kind: 'content', element: { tag: 'p', children } });
const BUTTON = { kind: 'button' };

describe('a message template', () => {
  it.each([
    ['subject', 'Hello {{name}} of {{ attribute.city }}, about {{survey}}', []],
    ['subject', 'a\nb', ['control characters']],
    ['subject', 'a\u2028b', ['control characters']],
    ['subject', '{{unsubscribe}}', ['cannot hold an address']],
    ['message', 'a\r\nb\tc\n\n{{link}} {{unsubscribe}} {{email}}', []],
    ['message', 'a\u0007b', ['control characters']],
    ['message', 'a\ud800b', ['surrogate']],
    ['message', '{{Name}}', ['"{{Name}}"']],
    ['message', '{{attribute.}}', ['"{{attribute.}}"']],
    ['message', '{{attribute.__proto__}}', ['"{{attribute.__proto__}}"']],
    ['message', '{{ }}', ['"{{ }}"']],
    ['message', '{{name}', ['without the other']],
    ['message', 'name}}', ['without the other']],
    ['message', '{name} { {name} }', []],
  ] as const)('%s %j', (as, template, complaints) => {
    const problems = templateProblems(template, as);
    expect(problems).toHaveLength(complaints.length);
    complaints.forEach((part, index) => expect(problems[index]).toContain(part));
  });
});

describe('a message subject', () => {
  it('is a single line for any input and never empty', () => {
    expect(renderSubject('  {{name}}   of {{attribute.city}} ({{attribute.age}}) ', ana)).toBe(
      'Ana of São Paulo (42)',
    );
    expect(renderSubject('{{name}}', { ...ana, name: null })).toBe('City life');
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'a {}\r\n\t\0\u0085\u2028\u2029\u00a0') }), (name) => {
        expect(renderSubject('Hi {{name}}', { ...ana, name })).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
      }),
    );
  });
});

describe('a message', () => {
  it('has no gap where the name is unknown', () => {
    const values = { ...ana, name: null };
    expect(renderSubject('Hello {{name}}, a question', values)).toBe('Hello, a question');
    expect(renderMessage('{{link}}\n\nHello {{name}},\n{{name}}, please answer.', values)).toEqual([
      BUTTON,
      paragraph('Hello,\nPlease answer.'),
    ]);
  });

  it('has paragraphs, line ends and links, and the button where requested', () => {
    const message =
      'Dear {{name}},\nplease.\n\n{{link}}\n \nSee https://a.example/x?city={{attribute.city}}, or {{unsubscribe}}.';
    expect(renderMessage(message, ana)).toEqual([
      paragraph('Dear Ana,\nplease.'),
      BUTTON,
      paragraph(
        'See ',
        link('https://a.example/x?city=S%C3%A3o%20Paulo'),
        ', or ',
        link(ana.unsubscribe, 'No more'),
        '.',
      ),
    ]);
  });

  it('has the button at its end without a link, and none if the link is in a sentence', () => {
    expect(renderMessage('Please.', ana)).toEqual([paragraph('Please.'), BUTTON]);
    expect(renderMessage('Go to {{link}} now', ana)).toEqual([paragraph('Go to ', link(ana.link), ' now')]);
  });

  it('has a button for every link on its own line, also within a paragraph', () => {
    expect(renderMessage('Please:\r\n {{ link }} \r\nThanks', ana)).toEqual([
      paragraph('Please:'),
      BUTTON,
      paragraph('Thanks'),
    ]);
  });

  it('does not parse names as links or placeholders', () => {
    const sly = { ...ana, name: 'https://evil.example {{link}} <b>' };
    expect(renderMessage('{{name}}', sly)).toEqual([paragraph('https://evil.example {{link}} <b>'), BUTTON]);
  });

  it('has the Markdown of the author, and none of a name', () => {
    const message =
      '# Hello\n\n- **Dear** {{name}}\n- [Take part]({{link}}) or [read](https://a.example/?n={{name}})\n\n[No]({{name}})';
    expect(renderMessage(message, { ...ana, name: '*[x](https://evil.example)*' })).toEqual([
      { kind: 'content', element: { tag: 'h2', children: ['Hello'] } },
      {
        kind: 'content',
        element: {
          tag: 'ul',
          children: [
            {
              tag: 'li',
              children: [{ tag: 'strong', children: ['Dear'] }, ' *[x](https://evil.example)*'],
            },
            {
              tag: 'li',
              children: [
                link(ana.link, 'Take part'),
                ' or ',
                link('https://a.example/?n=*%5Bx%5D(https%3A%2F%2Fevil.example)*', 'read'),
              ],
            },
          ],
        },
      },
      paragraph('[No](*[x](https://evil.example)*)'),
    ]);
  });

  it.each(['javascript:alert(1)', 'data:text/html,x', 'ftp://a.example'])('does not link %s', (address) => {
    expect(JSON.stringify(renderMessage(`See ${address}`, ana))).not.toContain(`"href":"${address}`);
  });
});
