import type { Question, SurveyDefinition } from '../definition.ts';
import type { PublishWarning } from './publish-check.ts';

/** Signs, names and codes of currencies, and words for prices, in the languages of the respondent page. */
const MONEY =
  /\p{Sc}|(?<!\p{L})(?:eur|usd|gbp|chf|euros?|dollars?|pounds?|francs?|pesos?|reais|prices?|costs?|preis|kosten|kostet|prix|coûte?|precio|cuesta|preço|custa|سعر|يورو|دولار)(?!\p{L})/iu;
/** Without "how much", time is spent and attention is paid. */
const HOW_MUCH = /(?<!\p{L})how much(?!\p{L})/iu;
const SPENDING = /(?<!\p{L})(?:spend|spent|pay|paid)(?!\p{L})/iu;

const namesMoney = ({ text, settings }: Extract<Question, { type: 'number' }>): boolean =>
  [text, settings.prefix, settings.suffix].some((each) => each !== null && MONEY.test(each)) ||
  (HOW_MUCH.test(text) && SPENDING.test(text) && !/\btime\b/i.test(text));

/** Returns warnings for questions that name an amount of money and accept only whole numbers, although no author has set a step. */
export function findMoneyWarnings(definition: SurveyDefinition): PublishWarning[] {
  return definition.pages.flatMap((page, pageIndex) =>
    page.questions.flatMap((question, index): PublishWarning[] => {
      if (question.type !== 'number' || page.retired || question.retired || question.settings.hidden)
        return [];
      const { decimals, step } = question.settings;
      if (decimals > 0 || step !== null || !namesMoney(question)) return [];
      return [
        {
          code: 'whole_amounts',
          message: `${question.code} names an amount of money and accepts only whole numbers: set decimals to 2 to accept cents, or step to 1 if whole numbers are meant`,
          field: `pages[${pageIndex}].questions[${index}].question_settings.decimals`,
          question_code: question.code,
        },
      ];
    }),
  );
}
