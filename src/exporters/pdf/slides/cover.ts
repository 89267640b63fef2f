import { LIGHT_THEME } from '../../../domain/charts/chart-theme.ts';
import type { DeckHeader, DeckSlide } from '../../../domain/reports/deck.ts';
import { type Box, TEXT_SIZES } from '../../slides/slide-page.ts';
import type { PdfCanvas, TextFormat } from '../pdf-canvas.ts';
import { isolateDirection } from '../type/text-runs.ts';
import { drawPicture } from './picture.ts';

type Cover = Extract<DeckSlide, { type: 'title' | 'section' }>;

/** Draws the first slide on white with the logo, or a section slide on the accent colour. */
export function drawCover(slide: Cover, head: DeckHeader, canvas: PdfCanvas): void {
  const { page, style } = canvas;
  const isFirst = slide.type === 'title';
  const textColor = isFirst ? LIGHT_THEME.text : style.accent.textOnFill;
  canvas.drawArtifact(() => {
    if (isFirst) {
      canvas.fillBox({ x: 0, y: 0, width: 10, height: page.height }, style.accent.fill);
      canvas.fillBox(page.cover.rule, style.accent.fill);
      if (head.style.logo !== null) drawPicture(head.style.logo, page.coverLogo, 'start', canvas);
    } else {
      canvas.fillBox({ x: 0, y: 0, width: page.width, height: page.height }, style.accent.fill);
      canvas.fillBox(page.cover.rule, textColor);
    }
  });
  const { title: titleBox } = page.cover;
  const titleFormat = fitText(
    slide.title ?? '',
    titleBox,
    { size: TEXT_SIZES.cover, bold: true, color: textColor, leading: 1.2 },
    canvas,
  );
  const end = canvas.drawParagraph(slide.title ?? '', titleBox, { ...titleFormat, as: 'H1' });
  const subtitle = slide.subtitle ?? (isFirst ? head.description : null);
  if (subtitle !== null && subtitle !== '') {
    const box = { ...page.cover.subtitle, y: end + 14 };
    const subtitleFormat = { size: TEXT_SIZES.subtitle, color: isFirst ? LIGHT_THEME.mutedText : textColor };
    canvas.drawParagraph(subtitle, box, fitText(subtitle, box, subtitleFormat, canvas));
  }
  if (isFirst) {
    const bylineArea = { x: page.margin, y: page.height - 60, width: page.width - 2 * page.margin };
    const byline = [head.organization, formatCreatedAt(head)]
      .filter((one) => one !== '')
      .map(isolateDirection)
      .join('  ·  ');
    canvas.drawParagraph(byline, bylineArea, {
      size: TEXT_SIZES.small,
      color: LIGHT_THEME.mutedText,
      maxLines: 1,
    });
  }
}

/** Shrinks a text until it fits; the smallest size is truncated. */
function fitText(text: string, box: Box, format: TextFormat, canvas: PdfCanvas): TextFormat {
  const { leading = 1.35 } = format;
  let { size } = format;
  const fits = () =>
    canvas.layoutLines(text, box.width, { ...format, size }).length * size * leading <= box.height + 1;
  while (size > 14 && !fits()) size -= 2;
  return { ...format, size, maxLines: Math.max(1, Math.floor((box.height + 1) / (size * leading))) };
}

function formatCreatedAt({ createdAt, style }: DeckHeader): string {
  const formatDate = (language: string) =>
    new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(createdAt);
  try {
    return formatDate(style.language);
  } catch {
    // A well-formed language tag may be unknown.
    return formatDate('en');
  }
}
