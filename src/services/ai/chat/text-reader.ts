import type { SurveyScope } from '../../../domain/access/scopes.ts';
import type { FigureOf } from '../../../domain/chat/chat-figure.ts';
import { shortened } from '../../../domain/chat/figure-numbers.ts';
import type { HeldCredits } from '../../../domain/credits/held-credits.ts';
import type { Analyst } from '../analysis/analyst.ts';
import type { FigureSources } from './functions/chat-function.ts';
import { evenly, writtenTexts } from './functions/verbatims.ts';

const TEXTS = 300;
const TEXT_CHARACTERS = 200;
const THEMES = 5;
/** Fewer say nothing in common. */
const LEAST_TEXTS = 5;
/** What is shown of those that are about a theme. */
const RESPONSE_IDS = 5;

/** Reads an open question as the analysis of texts does: how its answers sound, and what they are about. */
export class TextReader {
  private readonly sources: FigureSources;
  private readonly analyst: Analyst;
  /** Both readings of as many texts as are read. */
  readonly mostTokens: number;

  constructor(sources: FigureSources, analyst: Analyst) {
    this.sources = sources;
    this.analyst = analyst;
    const longest = Array.from({ length: TEXTS }, () => 'x'.repeat(TEXT_CHARACTERS));
    this.mostTokens =
      analyst.mostTokens({ operation: 'sentiment' }, longest) +
      2 * analyst.mostTokens({ operation: 'themes' }, longest);
  }

  /** Nothing where too few have written. */
  async read(
    held: HeldCredits,
    scope: SurveyScope,
    code: string,
    signal: AbortSignal,
  ): Promise<FigureOf<'read_texts'>[]> {
    const { columnCode, label, texts: all, counted } = await writtenTexts(this.sources, scope, code);
    if (all.length < LEAST_TEXTS) return [];
    const read = evenly(all, TEXTS);
    const texts = read.map(({ text }) => shortened(text, TEXT_CHARACTERS));
    const sentiments = { negative: 0, neutral: 0, positive: 0 };
    for (const { sentiment } of await this.analyst.sentiments(held, texts, signal))
      sentiments[sentiment] += 1;
    const proposed = await this.analyst.proposeThemes(held, texts, THEMES, signal);
    const assigned =
      proposed.length === 0 ? [] : await this.analyst.assignThemes(held, texts, proposed, signal);
    const themes = proposed.map(({ name }, theme) => {
      const about = read.filter((_, index) => assigned[index]?.includes(theme));
      return {
        theme: shortened(name, 60),
        count: about.length,
        response_ids: about.slice(0, RESPONSE_IDS).map(({ response_id: id }) => id),
      };
    });
    return [
      {
        function: 'read_texts',
        arguments: { question_code: columnCode },
        base: all.length,
        counted,
        result: {
          question_code: columnCode,
          question_text: shortened(label, 160),
          answered: all.length,
          read: read.length,
          sentiments,
          themes: themes.filter(({ count }) => count > 1).sort((a, b) => b.count - a.count),
          method: this.analyst.methodOf('sentiment'),
        },
      },
    ];
  }
}
