import { describe, expect, it } from 'vitest';
import { parseMarkdownBlocks, type MarkdownSpan } from '../../../src/exporters/markdown-blocks.ts';

const plain = (text: string, other: Partial<MarkdownSpan> = {}): MarkdownSpan => ({
  text,
  bold: false,
  italic: false,
  code: false,
  href: null,
  ...other,
});

describe('markdown as blocks', () => {
  it('distinguishes headings, paragraphs, quotes and code', () => {
    expect(parseMarkdownBlocks('# One\n\ntwo\nthree\n\n> four\n\n```\nfive\n  six\n```')).toEqual([
      { kind: 'heading', level: 1, runs: [plain('One')] },
      { kind: 'paragraph', indent: 0, runs: [plain('two three')] },
      { kind: 'quote', runs: [plain('four')] },
      { kind: 'code', text: 'five\n  six' },
    ]);
  });

  it('numbers the items of each list separately', () => {
    const blocks = parseMarkdownBlocks('3. three\n4. four\n   - within\n\n     more of it\n5. five');
    expect(blocks).toEqual([
      { kind: 'item', level: 0, number: 3, runs: [plain('three')] },
      { kind: 'item', level: 0, number: 4, runs: [plain('four')] },
      { kind: 'item', level: 1, number: null, runs: [plain('within')] },
      { kind: 'paragraph', indent: 2, runs: [plain('more of it')] },
      { kind: 'item', level: 0, number: 5, runs: [plain('five')] },
    ]);
  });

  it('keeps bold, italic, code, links and line breaks', () => {
    const [block] = parseMarkdownBlocks('a **b *c*** `d` [e](https://example.com/e)  \nf');
    expect(block).toMatchObject({
      runs: [
        plain('a '),
        plain('b ', { bold: true }),
        plain('c', { bold: true, italic: true }),
        plain(' '),
        plain('d', { code: true }),
        plain(' '),
        plain('e', { href: 'https://example.com/e' }),
        plain('\nf'),
      ],
    });
  });

  it('reads tables', () => {
    expect(parseMarkdownBlocks('| a | b |\n|---|--:|\n| 1 | **2** |\n\nafter')).toEqual([
      {
        kind: 'table',
        header: [[plain('a')], [plain('b')]],
        rows: [[[plain('1')], [plain('2', { bold: true })]]],
      },
      { kind: 'paragraph', indent: 0, runs: [plain('after')] },
    ]);
  });

  it.each(['javascript:alert(1)', 'file:///etc/passwd', 'data:text/html,x', '/reports', 'vbscript:x'])(
    'does not link %s',
    (address) => {
      const blocks = parseMarkdownBlocks(`[x](${address})`);
      expect(blocks.flatMap((block) => ('runs' in block ? block.runs : [])).map(({ href }) => href)).toEqual([
        null,
      ]);
    },
  );

  it('links email and web addresses, written as links or plain', () => {
    const blocks = parseMarkdownBlocks('<mailto:a@example.com> and https://example.com');
    expect(JSON.stringify(blocks)).toContain('"href":"mailto:a@example.com"');
    expect(JSON.stringify(blocks)).toContain('"href":"https://example.com"');
  });

  it('treats tags as text and never renders an image', () => {
    expect(parseMarkdownBlocks('<script>alert(1)</script> ![a view](https://example.com/a.png)')).toEqual([
      { kind: 'paragraph', indent: 0, runs: [plain('<script>alert(1)</script> a view')] },
    ]);
  });

  it('handles thousands of nested lists and quotes', () => {
    expect(() => parseMarkdownBlocks(`${'> '.repeat(9_000)}x`)).not.toThrow();
    expect(() => parseMarkdownBlocks(`${'- '.repeat(9_000)}x`)).not.toThrow();
  });
});
