import type { MethodSection, DeckSlide } from '../../../domain/reports/deck.ts';
import { type Box, TEXT_SIZES } from '../../slides/slide-page.ts';
import { layoutTable, factTable } from '../deck-table.ts';
import { textHeight } from '../markdown-text.ts';
import type { NativeTable } from '../native-table.ts';
import type { SlideWriter } from '../slide-writer.ts';
import { type Paragraph, plainParagraph } from '../text-body.ts';

const GAP = 12;
const SIZES = [12, 11, 10, 9, 8] as const;

type MethodBlock =
  | { kind: 'text'; paragraphs: Paragraph[]; height: number; size: number }
  | { kind: 'table'; table: NativeTable; height: number; alt: string };

/** Writes the method sections in the largest font size that fits. */
export function writeMethodSlide(
  { parts, survey }: Extract<DeckSlide, { type: 'method' }>,
  body: Box,
  writer: SlideWriter,
): void {
  const layouts = SIZES.map((size) =>
    parts.flatMap((part) => layoutSection(part, survey, body, size, writer)),
  );
  const heightOf = (blocks: readonly MethodBlock[]) =>
    blocks.reduce((sum, { height }) => sum + height + GAP, -GAP);
  const blocks = layouts.find((one) => heightOf(one) <= body.height) ?? layouts.at(-1)!;
  let { y } = body;
  for (const block of blocks) {
    const blockBox = { ...body, y, height: block.height };
    if (block.kind === 'text')
      writer.addText(block.paragraphs, { name: 'Text', box: blockBox, fontSize: block.size });
    else {
      const width = block.table.widths.reduce((sum, each) => sum + each, 0);
      writer.addTable(block.table, { box: { ...blockBox, width }, alt: block.alt });
    }
    y += block.height + GAP;
  }
}

function layoutSection(
  part: MethodSection,
  survey: string,
  body: Box,
  size: number,
  writer: SlideWriter,
): MethodBlock[] {
  const { palette } = writer.context;
  const textColor = palette.colorName(palette.style.text);
  const text = (paragraphs: Paragraph[], textSize: number): MethodBlock => ({
    ...{ kind: 'text', paragraphs, size: textSize },
    height: Math.ceil(textHeight(paragraphs, body.width, textSize)) + 2,
  });
  const alt = `${part.heading} of ${survey}`;
  const heading = plainParagraph(part.heading, {
    size: Math.min(TEXT_SIZES.chartTitle, size + 2),
    bold: true,
    fill: textColor,
  });
  const paragraphs = part.paragraphs.map((line) =>
    plainParagraph(line, { size, fill: textColor }, { before: size * 0.5 }),
  );
  const blocks: MethodBlock[] = [text([heading], size + 2)];
  if (part.facts.length > 0)
    blocks.push({ kind: 'table', ...factTable(part.facts, body.width, size, palette), alt });
  if (paragraphs.length > 0) blocks.push(text(paragraphs, size));
  if (part.table !== null) {
    const available = { width: body.width, height: body.height * 0.8 };
    blocks.push({ kind: 'table', ...layoutTable(part.table, available, palette), alt });
    const lines = part.table.source.map((line) =>
      plainParagraph(line, {
        size: Math.min(size, TEXT_SIZES.source),
        fill: palette.colorName(palette.style.mutedText),
      }),
    );
    if (lines.length > 0) blocks.push(text(lines, Math.min(size, TEXT_SIZES.source)));
  }
  return blocks;
}
