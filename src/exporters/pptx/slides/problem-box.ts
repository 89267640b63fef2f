import type { Box } from '../../slides/slide-page.ts';
import { TYPE } from '../../slides/slide-page.ts';
import type { SlideWriter } from '../slide-writer.ts';
import { plainParagraph } from '../text-body.ts';

/** Why nothing is shown here, in the place where it would be. */
export function writeProblemBox(
  words: readonly [heading: string | null, text: string],
  box: Box,
  writer: SlideWriter,
): void {
  const { palette } = writer.context;
  const [heading, text] = words;
  const centered = { align: 'center' } as const;
  const soft = { size: TYPE.chartTitle, fill: palette.colorName(palette.style.mutedText) };
  writer.addText(
    [
      ...(heading === null
        ? []
        : [
            plainParagraph(
              heading,
              { size: TYPE.text, bold: true, fill: palette.colorName(palette.style.text) },
              centered,
            ),
          ]),
      plainParagraph(text, soft, { ...centered, before: 4 }),
    ],
    {
      name: 'Not shown',
      box,
      anchor: 'ctr',
      usualSize: TYPE.chartTitle,
      outline: palette.colorName(palette.style.line),
      inset: 18,
      isRounded: true,
    },
  );
}
