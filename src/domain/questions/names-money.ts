/** Signs, names and codes of currencies, and words for prices, in the languages of the respondent page. */
const MONEY =
  /\p{Sc}|(?<!\p{L})(?:eur|usd|gbp|chf|euros?|dollars?|pounds?|francs?|pesos?|reais|prices?|costs?|preis|kosten|kostet|prix|coûte?|precio|cuesta|preço|custa|سعر|يورو|دولار)(?!\p{L})/iu;
/** Without "how much", time is spent and attention is paid. */
const HOW_MUCH = /(?<!\p{L})how much(?!\p{L})/iu;
const TIME = /(?<!\p{L})time(?!\p{L})/iu;
const SPENDING = /(?<!\p{L})(?:spend|spent|pay|paid)(?!\p{L})/iu;

/** Whether one of the texts of a question names an amount of money. */
export const namesMoney = (texts: readonly (string | null)[]): boolean =>
  texts.some(
    (text) =>
      text !== null && (MONEY.test(text) || (HOW_MUCH.test(text) && SPENDING.test(text) && !TIME.test(text))),
  );
