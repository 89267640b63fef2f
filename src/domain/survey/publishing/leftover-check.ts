import { formatList, quote } from '../../../lib/error-messages.ts';
import { rowsOf } from '../../questions/registry.ts';
import type { Page, Question, SurveyDefinition } from '../definition.ts';
import type { PublishWarning } from './publish-check.ts';

const LISTED_TEXTS = 3;

/** Whole texts that the editor and templates give to what has no text yet. */
const UNWRITTEN =
  /^(?:(?:option|row|column|answer|item|label|question|page) ?\d{1,3}|new question|question|untitled(?: survey| question)?|\.{3}|…)$/i;
/** Names that stand for a real one: "Brand A", "Product 2". A letter that begins a word, and "I", are none. */
const EXAMPLE_NAME =
  /\b(?:[Bb]rand|[Pp]roduct|[Cc]ompany|[Cc]oncept|[Cc]ompetitor|[Ss]ervice|[Ss]tore|[Ss]hop) (?:[A-HJ-Z]|\d{1,2})(?![\p{L}\p{N}'’])/u;
/** Instructions to the author: "(describe the concept here)", "[insert brand]", "<brand>". */
const INSTRUCTION =
  /[([<](?:describe (?:the|your|here)|insert|replace|name of|brand|product|company|placeholder)\b|\blorem ipsum\b|\b(?:TODO|TBD|XXX)\b/i;
/** Dots in the place of words. At the end of a text they begin a sentence that the rows complete. */
const GAP = /(?:^|\s)(?:…|\.{3})\s+\S/;

/** Whether a text looks as if its author forgot to write it. */
export function isLeftover(text: string): boolean {
  const trimmed = text.trim();
  return [UNWRITTEN, INSTRUCTION, GAP, EXAMPLE_NAME].some((pattern) => pattern.test(trimmed));
}

/** Warns of texts that look like those of a template or a new question, with one warning for each question and page. */
export function findLeftoverTexts(definition: SurveyDefinition): PublishWarning[] {
  const warnings: PublishWarning[] = [];
  const add = (
    texts: readonly (string | null)[],
    place: Omit<PublishWarning, 'code' | 'message' | 'texts'>,
  ) => {
    const leftover = [...new Set(texts.filter((text) => text !== null).filter(isLeftover))];
    if (leftover.length === 0) return;
    const name =
      place.question_code ?? (place.field === 'survey_name' ? 'the name of the survey' : 'the page');
    const message = `${name} has the text ${formatList(leftover, LISTED_TEXTS, quote)}: replace it, unless respondents are to read it`;
    warnings.push({ code: 'leftover_text', message, ...place, texts: leftover });
  };
  add([definition.name], { field: 'survey_name' });
  definition.pages.forEach((page, pageIndex) => {
    if (page.retired) return;
    const field = `pages[${pageIndex}]`;
    add(textsOfPage(page), { field, page_id: page.id });
    page.questions.forEach((question, index) => {
      if (question.retired || question.settings.hidden) return;
      add(textsOfQuestion(question), { field: `${field}.questions[${index}]`, question_code: question.code });
    });
  });
  return warnings;
}

const textsOfPage = ({ title, description }: Page): (string | null)[] => [title, description];

function textsOfQuestion(question: Question): (string | null)[] {
  const { text, settings, options } = question;
  return [
    text,
    settings.description,
    ...options.filter(({ retired }) => !retired).map(({ label }) => label),
    ...rowsOf(question).map(({ row_label: label }) => label),
  ];
}
