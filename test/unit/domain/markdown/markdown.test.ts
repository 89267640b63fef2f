import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { MarkdownNode } from '../../../../src/domain/markdown/markdown.ts';
import { parseMarkdown, plainText } from '../../../../src/domain/markdown/parse-markdown.ts';
import { readMarkdown } from '../../../../src/domain/markdown/read-markdown.ts';
import { usesMarkdown } from '../../../../src/domain/markdown/uses-markdown.ts';

/** The tree as HTML without escapes, which is easier to read. */
const written = (nodes: readonly MarkdownNode[]): string =>
  nodes
    .map((node) => {
      if (typeof node === 'string') return node;
      const { tag, href, start } = node;
      const attributes = `${href === undefined ? '' : ` ${href}`}${start === undefined ? '' : ` ${start}`}`;
      return `<${tag}${attributes}>${written(node.children)}</${tag}>`;
    })
    .join('');
const inline = (text: string) => {
  const nodes = parseMarkdown(text, 'inline');
  return nodes === null ? null : written(nodes);
};
const blocks = (text: string) => {
  const nodes = parseMarkdown(text, 'blocks');
  return nodes === null ? null : written(nodes);
};

describe('the text of a question', () => {
  test.each([
    ['**bold** and *it* or _it_', '<strong>bold</strong> and <em>it</em> or <em>it</em>'],
    ['***both***', '<em><strong>both</strong></em>'],
    ['**a *b***', '<strong>a <em>b</em></strong>'],
    ['*a **b***', '<em>a <strong>b</strong></em>'],
    ['*see [1]*', '<em>see [1]</em>'],
    ['这是**重要**的', '这是<strong>重要</strong>的'],
    ['**😀 x**', '<strong>😀 x</strong>'],
    ['[a *b*](https://b.c/d_e_(f)) c', '<a https://b.c/d_e_(f)>a <em>b</em></a> c'],
    ['[m](mailto:x@y.example?subject={{Q1}})', '<a mailto:x@y.example?subject={{Q1}}>m</a>'],
    [
      '[x](https://a.example/?q={{attribute.first name|a b}})',
      '<a https://a.example/?q={{attribute.first name|a b}}>x</a>',
    ],
    ['[a[b](https://x.example)](https://z.example)', '[a<a https://x.example>b</a>](https://z.example)'],
    ['*a [b* c](https://x.example)', '*a <a https://x.example>b* c</a>'],
    ['**{{Q1}}** {{hidden._x_}} _y_', '<strong>{{Q1}}</strong> {{hidden._x_}} <em>y</em>'],
    ['https://a.example/_c_d_ **now**', 'https://a.example/_c_d_ <strong>now</strong>'],
    ['\\*not\\* \\[this\\]', '*not* [this]'],
  ])('%s has format', (text, html) => expect(inline(text)).toBe(html));

  test.each([
    '2 * 3 * 4',
    '2*3*4',
    'snake_case_name',
    '#1 brand',
    '# of trips',
    '1. choice',
    '- a dash',
    'Kund*innen und Lehrer*innen',
    '5*-Hotels und 4*-Hotels',
    'Price* (*incl. VAT)',
    '(____) and (____) and ___.',
    '(__), (__)',
    '*.jpg and *.png',
    'f*** and s***',
    'Rated ***** or ****',
    'C:\\Users\\me',
    'a [b] (c) [d]',
    '[x](javascript:alert(1))',
    '[x](data:text/html,1)',
    '[x](//evil.example)',
    '[x](/s/token)',
    '[x]({{Q1}})',
    '[x](https://{{Q1}}/)',
    '[x](https://{{Q1}}.example/)',
    '[](https://a.example)',
    '[x](https://a b)',
    '<b>x</b> <script>alert(1)</script> &amp;',
    'https://a.example/a_b_c',
  ])('%s is shown as it is', (text) => expect(inline(text)).toBeNull());
});

describe('a description', () => {
  test.each([
    ['# Head\nfirst\nsecond\n\nthird', '<h2>Head</h2><p>first\nsecond</p><p>third</p>'],
    ['## **Hi**\n### Ho', '<h3><strong>Hi</strong></h3><h4>Ho</h4>'],
    ['Price:\n- a\n- b\nafter', '<p>Price:</p><ul><li>a</li><li>b</li></ul><p>after</p>'],
    ['- a\n  - b\n    1. c\n- d', '<ul><li>a<ul><li>b<ol 1><li>c</li></ol></li></ul></li><li>d</li></ul>'],
    ['1. a\n2. b\n\n3. c', '<ol 1><li>a</li><li>b</li><li>c</li></ol>'],
    ['3. x\n4. y', '<ol 3><li>x</li><li>y</li></ol>'],
    ['* a\n* b', '<ul><li>a</li><li>b</li></ul>'],
    ['- a\n\n  b\n- c', '<ul><li><p>a</p><p>b</p></li><li>c</li></ul>'],
    ['*over\nlines*', '<p><em>over\nlines</em></p>'],
    ['1\\. no list', '<p>1. no list</p>'],
  ])('%j has blocks', (text, html) => expect(blocks(text)).toBe(html));

  test.each([
    'a\nb\n\nc',
    '* Required',
    '#hashtag',
    'He was born in\n1985. It was cold.',
    '1) one\n2) two',
    '+ 5',
    '',
    '   ',
  ])('%j is shown as it is', (text) => expect(blocks(text)).toBeNull());

  it('is plain text in data', () => {
    expect(plainText('# Head\n- a\n- **b**\n  1. c\n\n[x](https://a.example)', 'blocks')).toBe(
      'Head\n- a\n- b\n  1. c\nx',
    );
  });
});

describe('what is filled in', () => {
  const fillers = (value: string) => ({
    text: (text: string) => text.replaceAll('{{Q1}}', value),
    address: (text: string) => text.replaceAll('{{Q1}}', encodeURIComponent(value)),
  });
  const template = '**{{Q1}}** [go {{Q1}}](https://a.example/?q={{Q1}})\n\n- {{Q1}}';
  /** The tags and the addresses of the tree. */
  const shape = (nodes: readonly MarkdownNode[]): unknown =>
    nodes.flatMap((node) =>
      typeof node === 'string' ? [] : [[node.tag, node.href?.split('?')[0], shape(node.children)]],
    );

  it('never adds an element or changes where a link leads', () => {
    const expected = shape(readMarkdown(template, 'blocks', fillers('x'))!.nodes);
    const mark = fc.constantFrom(
      '*',
      '**',
      '_',
      '[',
      ']',
      '(',
      ')',
      '\n',
      '# ',
      '- ',
      '1. ',
      '\\',
      '{{Q1}}',
      '<b>',
      'https://e.example',
      'javascript:',
      ' ',
      'a',
    );
    fc.assert(
      fc.property(fc.array(mark, { maxLength: 12 }), (marks) => {
        const value = marks.join('');
        const { nodes, plain } = readMarkdown(template, 'blocks', fillers(value))!;
        expect(shape(nodes)).toEqual(expected);
        expect(plain).toContain(value.replaceAll('\n', '\n  '));
      }),
    );
  });
});

it('takes linear time for texts of marks alone', () => {
  const patterns = [
    '*',
    '_',
    '[',
    '](',
    '**a',
    '*a ',
    '_a*b ',
    '[a](',
    '{{',
    '](https://a.b',
    '- ',
    '1. ',
    '*a\n',
    '  - a\n',
    '***a ',
    '[*_',
    'https://a',
    '\\',
    '* a\n ',
    '{{a}}*',
  ];
  for (const pattern of patterns)
    for (const form of ['inline', 'blocks'] as const) {
      const text = pattern.repeat(Math.ceil(200_000 / pattern.length));
      const start = performance.now();
      parseMarkdown(text, form);
      expect(performance.now() - start, `${JSON.stringify(pattern)} ${form}`).toBeLessThan(3_000);
    }
});

it('keeps all characters of a text apart from marks', () => {
  const letters = (text: string) => text.replace(/[^a-z]/g, '');
  const unit = fc.constantFrom(
    'a',
    'b',
    ' ',
    '*',
    '_',
    '**',
    '[',
    ']',
    '(',
    ')',
    '\n',
    '# ',
    '- ',
    '\\',
    '{{',
    '}}',
    '1. ',
  );
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 40 }), fc.constantFrom('inline', 'blocks'), (units, form) => {
      const text = units.join('');
      expect(letters(plainText(text, form))).toBe(letters(text));
    }),
  );
});

it('finds the format of a survey by the names of its texts', () => {
  expect(usesMarkdown({ pages: [{ questions: [{ text: '1. plain', options: [{ label: '- a' }] }] }] })).toBe(
    true,
  );
  expect(usesMarkdown({ options: [{ label: '- a' }], code: 'a_b' })).toBe(false);
  expect(usesMarkdown({ translations: { de: { options: { 1: '**a**' } } } })).toBe(true);
  expect(usesMarkdown({ completion_message: '# Thanks' })).toBe(true);
});
