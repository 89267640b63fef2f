import { textWidth } from '../../../domain/charts/drawing/text-size.ts';
import type { DeckHeader, DeckSlide } from '../../../domain/reports/deck.ts';
import { TYPE } from '../../slides/slide-page.ts';
import { PLACEHOLDERS } from '../layouts.ts';
import { joinOnOneLine } from '../one-line.ts';
import type { SlideWriter } from '../slide-writer.ts';
import { plainParagraph } from '../text-body.ts';

const LINE = 1.2;

/** What stands below the title of the first slide, or of one that opens a section. */
export function writeCoverSlide(
  { type, title, subtitle }: Extract<DeckSlide, { type: 'title' | 'section' }>,
  writer: SlideWriter,
): void {
  const { page, head } = writer.context;
  const { cover } = page;
  const lines = Math.ceil((textWidth(title ?? ' ', TYPE.cover) * 0.92) / cover.title.width);
  const below = cover.title.y + Math.min(lines * TYPE.cover * LINE, cover.title.height) + 14;
  const words = subtitle ?? (type === 'title' ? head.description : null);
  if (words !== null && words !== '')
    writer.addText([plainParagraph(words)], {
      ...{ name: 'Subtitle', placeholder: PLACEHOLDERS.text, usualSize: TYPE.subtitle },
      box: { ...cover.subtitle, y: below },
    });
  if (type === 'title')
    writer.addText([plainParagraph(joinOnOneLine(head.organization, formatCreatedAt(head)))], {
      name: 'Made by',
      box: page.byline,
      placeholder: PLACEHOLDERS.made,
    });
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
