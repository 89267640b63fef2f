import { LIGHT_THEME } from '../../../domain/charts/drawing/chart-theme.ts';
import type { DeckHeader, DeckSlide } from '../../../domain/reports/deck.ts';
import { type Box, TYPE } from '../../slides/slide-page.ts';
import type { Pen, TextLook } from '../pen.ts';
import { isolated } from '../type/atoms.ts';
import { drawPicture } from './picture.ts';

type Cover = Extract<DeckSlide, { type: 'title' | 'section' }>;

/** The first slide, on white with the logo; one that opens a section, on the accent's colour. */
export function drawCover(slide: Cover, head: DeckHeader, pen: Pen): void {
  const { page, look } = pen;
  const isFirst = slide.type === 'title';
  const ink = isFirst ? LIGHT_THEME.text : look.accent.textOnFill;
  pen.aside(() => {
    if (isFirst) {
      pen.fill({ x: 0, y: 0, width: 10, height: page.height }, look.accent.fill);
      pen.fill(page.cover.rule, look.accent.fill);
      if (head.style.logo !== null) drawPicture(head.style.logo, page.coverLogo, 'start', pen);
    } else {
      pen.fill({ x: 0, y: 0, width: page.width, height: page.height }, look.accent.fill);
      pen.fill(page.cover.rule, ink);
    }
  });
  const { title: room } = page.cover;
  const look1 = fitting(
    slide.title ?? '',
    room,
    { size: TYPE.cover, bold: true, color: ink, leading: 1.2 },
    pen,
  );
  const end = pen.paragraph(slide.title ?? '', room, { ...look1, as: 'H1' });
  const subtitle = slide.subtitle ?? (isFirst ? head.description : null);
  if (subtitle !== null && subtitle !== '') {
    const box = { ...page.cover.subtitle, y: end + 14 };
    const soft = { size: TYPE.subtitle, color: isFirst ? LIGHT_THEME.mutedText : ink };
    pen.paragraph(subtitle, box, fitting(subtitle, box, soft, pen));
  }
  if (isFirst) {
    const foot = { x: page.margin, y: page.height - 60, width: page.width - 2 * page.margin };
    const words = [head.organization, dateOf(head)]
      .filter((one) => one !== '')
      .map(isolated)
      .join('  ·  ');
    pen.paragraph(words, foot, { size: TYPE.small, color: LIGHT_THEME.mutedText, maxLines: 1 });
  }
}

/** Smaller until it fits, and cut only then. */
function fitting(text: string, box: Box, look: TextLook, pen: Pen): TextLook {
  const { leading = 1.35 } = look;
  let { size } = look;
  const fits = () => pen.lines(text, box.width, { ...look, size }).length * size * leading <= box.height + 1;
  while (size > 14 && !fits()) size -= 2;
  return { ...look, size, maxLines: Math.max(1, Math.floor((box.height + 1) / (size * leading))) };
}

function dateOf({ createdAt: madeAt, style: look }: DeckHeader): string {
  const written = (language: string) =>
    new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(madeAt);
  try {
    return written(look.language);
  } catch {
    // A tag may look like one of a language and be none.
    return written('en');
  }
}
