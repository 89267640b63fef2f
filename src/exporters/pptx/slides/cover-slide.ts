import { textWidth } from '../../../domain/charts/chart-drawing.ts';
import type { DeckHeader, DeckSlide } from '../../../domain/reports/deck.ts';
import { TEXT_SIZES } from '../../slides/slide-page.ts';
import { PLACEHOLDERS } from '../layouts.ts';
import { joinOnOneLine } from '../one-line.ts';
import type { SlideWriter } from '../slide-writer.ts';
import { plainParagraph } from '../text-body.ts';

const LINE = 1.2;

/** Writes subtitle and byline of the first slide or a section slide. */
export function writeCoverSlide(
  { type, title, subtitle }: Extract<DeckSlide, { type: 'title' | 'section' }>,
  writer: SlideWriter,
): void {
  const { page, head } = writer.context;
  const { cover } = page;
  const lines = Math.ceil((textWidth(title ?? ' ', TEXT_SIZES.cover) * 0.92) / cover.title.width);
  const subtitleTop = cover.title.y + Math.min(lines * TEXT_SIZES.cover * LINE, cover.title.height) + 14;
  const text = subtitle ?? (type === 'title' ? head.description : null);
  if (text !== null && text !== '')
    writer.addText([plainParagraph(text)], {
      ...{ name: 'Subtitle', placeholder: PLACEHOLDERS.text, fontSize: TEXT_SIZES.subtitle },
      box: { ...cover.subtitle, y: subtitleTop },
    });
  if (type === 'title')
    writer.addText([plainParagraph(joinOnOneLine(head.organization, formatCreatedAt(head)))], {
      name: 'Byline',
      box: page.byline,
      placeholder: PLACEHOLDERS.byline,
    });
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
