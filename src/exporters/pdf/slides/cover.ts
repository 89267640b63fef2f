import { LIGHT_THEME } from '../../../domain/charts/drawing/chart-theme.ts';
import type { DeckHeader, DeckSlide } from '../../../domain/reports/deck.ts';
import { type Box, TYPE } from '../../slides/slide-page.ts';
import type { PdfCanvas, TextFormat } from '../pdf-canvas.ts';
import { isolateDirection } from '../type/text-runs.ts';
import { drawPicture } from './picture.ts';

type Cover = Extract<DeckSlide, { type: 'title' | 'section' }>;

/** The first slide, on white with the logo; one that opens a section, on the accent's colour. */
export function drawCover(slide: Cover, head: DeckHeader, canvas: PdfCanvas): void {
  const { page, style: look } = canvas;
  const isFirst = slide.type === 'title';
  const ink = isFirst ? LIGHT_THEME.text : look.accent.textOnFill;
  canvas.drawArtifact(() => {
    if (isFirst) {
      canvas.fillBox({ x: 0, y: 0, width: 10, height: page.height }, look.accent.fill);
      canvas.fillBox(page.cover.rule, look.accent.fill);
      if (head.style.logo !== null) drawPicture(head.style.logo, page.coverLogo, 'start', canvas);
    } else {
      canvas.fillBox({ x: 0, y: 0, width: page.width, height: page.height }, look.accent.fill);
      canvas.fillBox(page.cover.rule, ink);
    }
  });
  const { title: room } = page.cover;
  const look1 = fitText(
    slide.title ?? '',
    room,
    { size: TYPE.cover, bold: true, color: ink, leading: 1.2 },
    canvas,
  );
  const end = canvas.drawParagraph(slide.title ?? '', room, { ...look1, as: 'H1' });
  const subtitle = slide.subtitle ?? (isFirst ? head.description : null);
  if (subtitle !== null && subtitle !== '') {
    const box = { ...page.cover.subtitle, y: end + 14 };
    const soft = { size: TYPE.subtitle, color: isFirst ? LIGHT_THEME.mutedText : ink };
    canvas.drawParagraph(subtitle, box, fitText(subtitle, box, soft, canvas));
  }
  if (isFirst) {
    const foot = { x: page.margin, y: page.height - 60, width: page.width - 2 * page.margin };
    const words = [head.organization, formatCreatedAt(head)]
      .filter((one) => one !== '')
      .map(isolateDirection)
      .join('  ·  ');
    canvas.drawParagraph(words, foot, { size: TYPE.small, color: LIGHT_THEME.mutedText, maxLines: 1 });
  }
}

/** Smaller until it fits, and cut only then. */
function fitText(text: string, box: Box, look: TextFormat, canvas: PdfCanvas): TextFormat {
  const { leading = 1.35 } = look;
  let { size } = look;
  const fits = () =>
    canvas.layoutLines(text, box.width, { ...look, size }).length * size * leading <= box.height + 1;
  while (size > 14 && !fits()) size -= 2;
  return { ...look, size, maxLines: Math.max(1, Math.floor((box.height + 1) / (size * leading))) };
}

function formatCreatedAt({ createdAt: madeAt, style: look }: DeckHeader): string {
  const written = (language: string) =>
    new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(madeAt);
  try {
    return written(look.language);
  } catch {
    // A tag may look like one of a language and be none.
    return written('en');
  }
}
