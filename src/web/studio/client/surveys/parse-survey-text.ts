/** The types of questions that a pasted text can have. */
const TEXT_QUESTION_TYPES = [
  'single_choice',
  'multiple_choice',
  'dropdown',
  'ranking',
  'text',
  'number',
  'scale',
  'nps',
  'date',
] as const;

export type TextQuestionType = (typeof TEXT_QUESTION_TYPES)[number];

export interface ParsedQuestion {
  /** Line of the text, from 1. */
  line: number;
  text: string;
  type: TextQuestionType;
  isRequired: boolean;
  options: string[];
}

export interface ParsedSurvey {
  /** Pages with at least one question. */
  pages: ParsedQuestion[][];
  /** Lines, from 1, with an option that belongs to no question. */
  strayOptionLines: number[];
}

/** Types whose questions have options. */
const CHOICES: ReadonlySet<TextQuestionType> = new Set([
  'single_choice',
  'multiple_choice',
  'dropdown',
  'ranking',
]);

/** The types that a question can have: with options the choices, otherwise the other ones. */
export const possibleTypes = ({ options }: ParsedQuestion): TextQuestionType[] =>
  TEXT_QUESTION_TYPES.filter((type) => CHOICES.has(type) === options.length > 0);

const PAGE_BREAK = /^\s*(-{3,}|={3,}|_{3,})\s*$/;
/** A dash, bullet, box or letter before an option, or an indentation. */
const OPTION = /^(?:\s*(?:[-–—*•◦○●□☐]|\[[ x]?\]|\([ x]?\)|[a-z][.)])\s+|\t\s*| {2,})(?=\S)/i;
const BOX = /^\s*(?:[□☐]|\[[ x]?\])/i;
/** Markers that follow an indentation: `   - Coffee`. */
const MARKER = /^(?:[-–—*•◦○●□☐]|\[[ x]?\]|\([ x]?\)|[a-z][.)])\s+/i;
/** `1.`, `1)` or `Q1:` before a question. */
const NUMBER = /^\s*(?:Q?\d{1,3}[.):]|Q\d{1,3}\s)\s*/i;
const SEVERAL =
  /\b(?:select|choose|tick|check|mark)\b[^.?!]*\b(?:all|any|several|multiple|up to)\b|\bmultiple answers\b/i;
const RANK = /\b(?:rank|put .* in order|order of importance)\b/i;

/**
 * Reads questions from a text: one a line, with their options below, indented or after a dash. A line of three dashes starts a page,
 * and an asterisk at the end of a question makes it required.
 */
export function parseSurveyText(text: string): ParsedSurvey {
  const pages: ParsedQuestion[][] = [[]];
  const strayOptionLines: number[] = [];
  const boxedQuestions = new Set<ParsedQuestion>();
  let question: ParsedQuestion | null = null;
  for (const [index, content] of text.split(/\r\n|\r|\n/).entries()) {
    const line = index + 1;
    if (content.trim() === '') continue;
    if (PAGE_BREAK.test(content)) {
      pages.push([]);
      question = null;
    } else if (OPTION.test(content)) {
      if (question === null) strayOptionLines.push(line);
      else {
        question.options.push(content.replace(OPTION, '').replace(MARKER, '').trim());
        if (BOX.test(content.trimStart())) boxedQuestions.add(question);
      }
    } else {
      question = readQuestion(content, line);
      pages.at(-1)?.push(question);
    }
  }
  for (const each of pages.flat()) each.type = guessType(each, boxedQuestions.has(each));
  return { pages: pages.filter((questions) => questions.length > 0), strayOptionLines };
}

function readQuestion(content: string, line: number): ParsedQuestion {
  const numbered = content.replace(NUMBER, '').trim();
  const unnumbered = numbered === '' ? content.trim() : numbered;
  const withoutMark = unnumbered.endsWith('*') ? unnumbered.slice(0, -1).trimEnd() : '';
  const isRequired = withoutMark !== '';
  const text = isRequired ? withoutMark : unnumbered;
  return { line, text, type: 'text', isRequired, options: [] };
}

function guessType({ text, options }: ParsedQuestion, hasBoxes: boolean): TextQuestionType {
  if (options.length > 0) {
    if (hasBoxes || SEVERAL.test(text)) return 'multiple_choice';
    return RANK.test(text) ? 'ranking' : 'single_choice';
  }
  if (/\brecommend\b/i.test(text) && /\b(?:how likely|0\s*(?:to|-|–)\s*10)\b/i.test(text)) return 'nps';
  if (/\b(?:how many|how old|how often per|number of)\b/i.test(text)) return 'number';
  if (/\b(?:date of|which date|when were you born)\b/i.test(text)) return 'date';
  return /\b(?:1\s*(?:to|-|–)\s*5|on a scale)\b/i.test(text) ? 'scale' : 'text';
}

/** An option that stands for an answer in the respondent's own words. */
const OTHER = /^other\b/i;
/** An option that excludes the others. */
const NONE = /^none\b/i;

const POINT_TYPES: readonly TextQuestionType[] = ['scale', 'nps'];
/** The points at the end of a text, such as "(1-5)", which the answer shows. */
const POINTS_HINT = /\((?:1\s*(?:to|-|–)\s*5|0\s*(?:to|-|–)\s*10)\)\s*$/i;

/** Returns the survey in the format that `POST /api/surveys/import` reads. */
export function toSurveyFile(name: string, pages: readonly (readonly ParsedQuestion[])[]) {
  return {
    format: 'canvass.survey',
    version: 1,
    survey: {
      survey_name: name,
      pages: pages.map((questions) => ({
        questions: questions.map(({ text, type, isRequired, options }) => ({
          question_type: type,
          question_text: POINT_TYPES.includes(type) ? text.replace(POINTS_HINT, '').trimEnd() : text,
          question_required: isRequired,
          ...(type === 'scale' ? { question_settings: { min: 1, max: 5 } } : {}),
          ...(type === 'text' ? { question_settings: { multiline: true } } : {}),
          ...(options.length === 0
            ? {}
            : {
                options: options.map((label, index) => ({
                  option_label: label,
                  option_value: String(index + 1),
                  ...(OTHER.test(label) && type !== 'ranking' ? { option_other: true } : {}),
                  ...(NONE.test(label) && type === 'multiple_choice' ? { option_exclusive: true } : {}),
                })),
              }),
        })),
      })),
    },
  };
}
