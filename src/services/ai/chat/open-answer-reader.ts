import type { SurveyScope } from '../../../domain/access/scopes.ts';
import type { FigureOf } from '../../../domain/chat/chat-figure.ts';
import { shortenText } from '../../../domain/chat/reply-texts.ts';
import type { CreditReservation } from '../../../domain/credits/credit-reservation.ts';
import type { TextAnalyzer } from '../analysis/text-analyzer.ts';
import type { FigureSources } from './functions/chat-function.ts';
import { sampleEvenly, loadTexts } from './functions/verbatims.ts';

const MAX_TEXTS = 300;
const MAX_TEXT_CHARACTERS = 200;
const MAX_THEMES = 5;
/** Fewer texts have no common themes. */
const MIN_TEXTS = 5;
/** Response ids listed per theme. */
const MAX_RESPONSE_IDS = 5;

/** Computes sentiment and themes of an open question with the text analysis. */
export class OpenAnswerReader {
  private readonly analyzer: TextAnalyzer;
  /** Token bound of both analyses with the maximum number of texts. */
  readonly maxTokens: number;

  constructor(
    private readonly sources: FigureSources,
    analyst: TextAnalyzer,
  ) {
    this.analyzer = analyst;
    const longest = Array.from({ length: MAX_TEXTS }, () => 'x'.repeat(MAX_TEXT_CHARACTERS));
    this.maxTokens =
      analyst.maxTokens({ operation: 'sentiment' }, longest) +
      2 * analyst.maxTokens({ operation: 'themes' }, longest);
  }

  /** Returns an empty list if there are too few texts. */
  async read(
    reservation: CreditReservation,
    scope: SurveyScope,
    code: string,
    signal: AbortSignal,
  ): Promise<FigureOf<'read_texts'>[]> {
    const { columnCode, label, texts: all, counted } = await loadTexts(this.sources, scope, code);
    if (all.length < MIN_TEXTS) return [];
    const read = sampleEvenly(all, MAX_TEXTS);
    const texts = read.map(({ text }) => shortenText(text, MAX_TEXT_CHARACTERS));
    const sentiments = { negative: 0, neutral: 0, positive: 0 };
    for (const { sentiment } of await this.analyzer.detectSentiments(reservation, texts, signal))
      sentiments[sentiment] += 1;
    const proposed = await this.analyzer.proposeThemes(reservation, texts, MAX_THEMES, signal);
    const assigned =
      proposed.length === 0 ? [] : await this.analyzer.assignThemes(reservation, texts, proposed, signal);
    const themes = proposed.map(({ name }, theme) => {
      const about = read.filter((_, index) => assigned[index]?.includes(theme));
      return {
        theme: shortenText(name, 60),
        count: about.length,
        response_ids: about.slice(0, MAX_RESPONSE_IDS).map(({ response_id: id }) => id),
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
          question_text: shortenText(label, 160),
          answered: all.length,
          read: read.length,
          sentiments,
          themes: themes.filter(({ count }) => count > 1).sort((a, b) => b.count - a.count),
          method: this.analyzer.describeMethod('sentiment'),
        },
      },
    ];
  }
}
