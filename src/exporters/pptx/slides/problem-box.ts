import type { Box } from '../../slides/slide-page.ts';
import { TEXT_SIZES } from '../../slides/slide-page.ts';
import type { SlideWriter } from '../slide-writer.ts';
import { plainParagraph } from '../text-body.ts';

/** Writes why content is missing, in its place. */
export function writeProblemBox(
  message: readonly [heading: string | null, text: string],
  box: Box,
  writer: SlideWriter,
): void {
  const { palette } = writer.context;
  const [heading, text] = message;
  const centered = { align: 'center' } as const;
  const textFormat = { size: TEXT_SIZES.chartTitle, fill: palette.colorName(palette.style.mutedText) };
  writer.addText(
    [
      ...(heading === null
        ? []
        : [
            plainParagraph(
              heading,
              { size: TEXT_SIZES.text, bold: true, fill: palette.colorName(palette.style.text) },
              centered,
            ),
          ]),
      plainParagraph(text, textFormat, { ...centered, before: 4 }),
    ],
    {
      name: 'Not shown',
      box,
      anchor: 'ctr',
      fontSize: TEXT_SIZES.chartTitle,
      outline: palette.colorName(palette.style.line),
      inset: 18,
      isRounded: true,
    },
  );
}
