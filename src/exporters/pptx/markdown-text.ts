import { textWidth } from '../../domain/charts/chart-drawing.ts';
import { parseMarkdownBlocks } from '../slides/markdown-blocks.ts';
import { TEXT_SIZES } from '../slides/slide-page.ts';
import type { Palette } from './palette.ts';
import { markdownRuns, type Paragraph, plainParagraph } from './text-body.ts';

/** Converts Markdown to paragraphs. Only font sizes that differ from the placeholder are set. */
export function markdownParagraphs(markdown: string, palette: Palette): Paragraph[] {
  const mutedColor = palette.colorName(palette.style.mutedText);
  return parseMarkdownBlocks(markdown).flatMap((block): Paragraph[] => {
    switch (block.kind) {
      case 'heading':
        return [
          {
            runs: markdownRuns(block.runs, {
              bold: true,
              ...(block.level === 1 && { size: TEXT_SIZES.text + 3 }),
            }),
            before: 14,
          },
        ];
      case 'item': {
        const bullet = block.number === null ? 'dot' : { number: block.number };
        return [{ runs: markdownRuns(block.runs), level: block.level, bullet, before: 6 }];
      }
      case 'quote':
        return [{ runs: markdownRuns(block.runs, { fill: mutedColor, italic: true }), before: 8 }];
      case 'code':
        return [plainParagraph(block.text, { monospaced: true, size: TEXT_SIZES.small })];
      case 'table':
        return [block.header, ...block.rows].map((cells, index) => ({
          runs: cells.flatMap((runs, cell) => [
            ...(cell === 0 ? [] : [{ text: '  ·  ' }]),
            ...markdownRuns(runs, index === 0 ? { bold: true } : {}),
          ]),
          before: 2,
        }));
      default:
        return [{ runs: markdownRuns(block.runs), before: 8 }];
    }
  });
}

const LINE = 1.3;

/** Estimates the height of paragraphs in a width, in points. */
export function textHeight(paragraphs: readonly Paragraph[], width: number, size: number): number {
  return paragraphs.reduce((sum, { runs, level = 0, bullet, before = 7 }, index) => {
    const text = runs.map((run) => run.text).join('');
    const textSize = runs[0]?.size ?? size;
    const availableWidth = width - (bullet === undefined ? 0 : (level + 1) * 18);
    const lines = text
      .split('\n')
      .reduce(
        (count, line) =>
          count + Math.max(1, Math.ceil((textWidth(line, textSize) * 0.9) / Math.max(availableWidth, 40))),
        0,
      );
    return sum + lines * textSize * LINE + (index === 0 ? 0 : before);
  }, 0);
}

const MIN_SCALE = 0.5;

/** The scale of `size` with which the paragraphs fit; 1: unscaled. */
export function fittingScale(
  paragraphs: readonly Paragraph[],
  available: { width: number; height: number },
  size: number,
): number {
  for (let scale = 1; scale > MIN_SCALE; scale -= 0.05) {
    const scaled = paragraphs.map((paragraph) => ({
      ...paragraph,
      before: (paragraph.before ?? 7) * scale,
      runs: paragraph.runs.map((run) => ({
        ...run,
        ...(run.size !== undefined && { size: run.size * scale }),
      })),
    }));
    if (textHeight(scaled, available.width, size * scale) <= available.height) return scale;
  }
  return MIN_SCALE;
}
