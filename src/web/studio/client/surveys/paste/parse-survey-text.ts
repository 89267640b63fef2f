import { studioTypeOf } from '../../question-types/registry.ts';
import {
  type Hint,
  type NumberRange,
  type PastedPoint,
  type PastedType,
  PASTED_TYPES,
  readInlineOptions,
  readPoints,
  readQuestionText,
} from './pasted-hints.ts';

export interface ParsedQuestion {
  kind: 'question';
  /** Line of the text, from 1. */
  line: number;
  text: string;
  type: PastedType;
  isRequired: boolean;
  options: string[];
  /** Of a table, whose options are its columns. */
  rows: string[];
  range: NumberRange | null;
  /** Labels of points of a scale. */
  points: PastedPoint[];
  maxSelections: number | null;
}

/** A page title or an introduction. */
interface ParsedText {
  kind: 'heading' | 'introduction';
  line: number;
  text: string;
}

export type ParsedLine = ParsedQuestion | ParsedText;

/** What the user made of a line: a page title, an introduction, a question, or nothing. */
export type LineKind = ParsedLine['kind'] | 'dropped';

export interface ParsedPage {
  lines: ParsedLine[];
}

export interface ParsedSurvey {
  /** The title above all pages; null: none. */
  name: string | null;
  /** Pages with at least one line. */
  pages: ParsedPage[];
  dropped: { line: number; text: string }[];
  /** Lines, from 1, with an option that belongs to no question. */
  strayOptionLines: number[];
}

/** The types that a question can have. Its options can be labels of points. */
export const possibleTypes = ({ options, rows, points }: ParsedQuestion): PastedType[] =>
  PASTED_TYPES.filter((type) => {
    if (type === 'matrix') return rows.length > 0;
    if (studioTypeOf({ question_type: type }).options !== null)
      return options.length > 0 || points.length > 0;
    return true;
  });

/** The types that a title or an introduction can have as a question. */
export const TYPES_OF_TEXT: readonly PastedType[] = ['text', 'statement'];

/** Whether a range such as "(0-10)" sets the numbers of the type. */
export const takesRange = (type: PastedType): boolean =>
  type === 'scale' || type === 'slider' || type === 'number';

const PAGE_BREAK = /^\s*(?:-{3,}|={3,}|_{3,})\s*$/;
/** A dash, bullet, box or letter before an option, or an indentation. */
const OPTION = /^(?:\s*(?:[-–—*•◦○●□☐]|\[[ x]?\]|\([ x]?\)|[a-z][.)])\s+|\t\s*| {2,})(?=\S)/i;
const BOX = /^\s*(?:[□☐]|\[[ x]?\])/i;
/** Markers that follow an indentation: `   - Coffee`. */
const MARKER = /^(?:[-–—*•◦○●□☐]|\[[ x]?\]|\([ x]?\)|[a-z][.)])\s+/i;
/** `1.`, `1)` or `Q1:` before a question. */
const NUMBER = /^\s*(?:Q?\d{1,3}[.):]|Q\d{1,3}\s)\s*/i;
const Q_NUMBER = /^\s*Q\d{1,3}[.):\s]/i;
const MARKDOWN_HEADING = /^\s*#{1,6}\s+(?=\S)/;
const NAMED_HEADING = /^\s*(?:section|part|page|block|module)\s+(?:\d{1,2}|[A-Z])\b\s*[:.–-]?\s*/i;
const ROWS_OR_COLUMNS = /^\s*(rows|statements|items|columns|scale|answers)\s*:\s*(\S.*)$/i;
const RANK = /\b(?:rank|put .{1,60} in order|order of importance)\b/i;
const SEVERAL = /\b(?:select|choose|tick|check|mark)\b[^.?!]*\b(?:all|any|several|multiple|up to)\b/i;
const AGREEMENT = /\bhow (?:much|strongly) do you agree\b|\bagree or disagree\b/i;
const AGREEMENT_COLUMNS = [
  'Strongly disagree',
  'Disagree',
  'Neither agree nor disagree',
  'Agree',
  'Strongly agree',
];
const MAX_HEADING_CHARACTERS = 80;
/** Larger ranges are sliders. */
const MAX_SCALE_STEPS = 10;

/**
 * Reads a questionnaire: questions with their options below, after a mark, indented, or as they follow a numbered question; headings and
 * lines of three dashes start a page. `kinds` has what the user made of a line, by its text.
 */
export function parseSurveyText(
  text: string,
  kinds: ReadonlyMap<string, LineKind> = new Map(),
): ParsedSurvey {
  return new TextReader(text.split(/\r\n|\r|\n/), kinds).read();
}

class TextReader {
  private readonly survey: ParsedSurvey = { name: null, pages: [], dropped: [], strayOptionLines: [] };
  private page: ParsedPage = { lines: [] };
  private question: ParsedQuestion | null = null;
  private readonly boxed = new Set<ParsedQuestion>();
  private readonly hints = new Map<ParsedQuestion, Hint>();
  /** Whether the options below a dropped question are dropped with it. */
  private isDropping = false;
  /** Whether questions have numbers, so that lines without a number are not questions. */
  private readonly isNumbered: boolean;
  /** Whether questions have a "Q", so that a number alone begins an option. */
  private readonly hasQNumbers: boolean;

  constructor(
    private readonly lines: readonly string[],
    private readonly kinds: ReadonlyMap<string, LineKind>,
  ) {
    this.hasQNumbers = lines.filter((line) => Q_NUMBER.test(line)).length >= 2;
    this.isNumbered = this.hasQNumbers || lines.filter((line) => NUMBER.test(line)).length >= 2;
  }

  read(): ParsedSurvey {
    let isAfterBlank = true;
    for (const [index, content] of this.lines.entries()) {
      if (content.trim() === '') isAfterBlank = true;
      else {
        this.readLine(content, index + 1, isAfterBlank);
        isAfterBlank = false;
      }
    }
    this.endPage();
    for (const page of this.survey.pages)
      for (const line of page.lines) if (line.kind === 'question') this.finish(line);
    this.takeName();
    return this.survey;
  }

  private readLine(content: string, line: number, isAfterBlank: boolean): void {
    if (PAGE_BREAK.test(content)) {
      this.endPage();
      return;
    }
    const kind = this.kinds.get(content.trim());
    if (kind !== undefined) {
      this.readAs(kind, content, line);
      return;
    }
    if (this.readTableLine(content) || this.readPointsLine(content)) return;
    if (this.isOption(content, isAfterBlank)) this.addOption(content, line);
    else if (this.isHeading(content, line, isAfterBlank)) this.addHeading(content, line);
    else if (this.isIntroduction(content)) this.addText('introduction', content, line);
    else this.addQuestion(content, line);
  }

  private readAs(kind: LineKind, content: string, line: number): void {
    if (kind === 'dropped') {
      this.survey.dropped.push({ line, text: content.trim() });
      this.question = null;
      this.isDropping = true;
    } else if (kind === 'heading') this.addHeading(content, line);
    else if (kind === 'introduction') this.addText('introduction', content, line);
    else this.addQuestion(content, line);
  }

  private endPage(): void {
    if (this.page.lines.length > 0) this.survey.pages.push(this.page);
    this.page = { lines: [] };
    this.question = null;
    this.isDropping = false;
  }

  private addText(kind: ParsedText['kind'], content: string, line: number): void {
    const text = kind === 'heading' ? headingText(content) : content.trim();
    this.page.lines.push({ kind, line, text });
    this.question = null;
    this.isDropping = false;
  }

  private addHeading(content: string, line: number): void {
    this.endPage();
    this.addText('heading', content, line);
  }

  private addQuestion(content: string, line: number): void {
    const numbered = content.replace(NUMBER, '').trim();
    const { text, hint } = readQuestionText(numbered === '' ? content : numbered);
    const question: ParsedQuestion = {
      kind: 'question',
      line,
      text,
      type: 'text',
      isRequired: hint.isRequired ?? false,
      options: [...(hint.options ?? [])],
      rows: [],
      range: hint.range ?? null,
      points: hint.points ?? [],
      maxSelections: hint.maxSelections ?? null,
    };
    this.hints.set(question, hint);
    this.page.lines.push(question);
    this.question = question;
    this.isDropping = false;
  }

  private isOption(content: string, isAfterBlank: boolean): boolean {
    if (MARKDOWN_HEADING.test(content)) return false;
    if (OPTION.test(content)) return true;
    if (isAfterBlank || (this.question === null && !this.isDropping)) return false;
    if (this.hasQNumbers) return !Q_NUMBER.test(content);
    if (this.isNumbered) return !NUMBER.test(content) && !content.trim().endsWith('?');
    // Plain lines below a question that ends with its mark, until a line that is a question.
    const isOpen = /[?:*)\]]$/.test(this.lines[(this.question?.line ?? 1) - 1]?.trimEnd() ?? '');
    return (
      isOpen && this.question !== null && this.question.options.length > 0 && !/[?*]$/.test(content.trim())
    );
  }

  private addOption(content: string, line: number): void {
    if (this.isDropping) return;
    const unmarked = content.replace(OPTION, '').replace(MARKER, '');
    const label = (this.hasQNumbers ? unmarked.replace(/^\s*\d{1,2}[.)]\s+/, '') : unmarked).trim();
    if (this.question === null) {
      this.survey.strayOptionLines.push(line);
      return;
    }
    const options = readInlineOptions(label);
    if (options !== null && this.question.options.length === 0) this.question.options.push(...options);
    else this.question.options.push(label);
    if (BOX.test(content.trimStart())) this.boxed.add(this.question);
  }

  /** "Rows: Price; Speed", or a line of a table whose cells are separated by tabs or bars. */
  private readTableLine(content: string): boolean {
    const { question } = this;
    if (question === null) return false;
    const named = ROWS_OR_COLUMNS.exec(content);
    if (named !== null) {
      const [, name = '', list = ''] = named;
      const items = splitList(list);
      if (items.length < 2) return false;
      if (/^(?:rows|statements|items)$/i.test(name)) question.rows.push(...items);
      else question.options = items;
      return true;
    }
    const cells = splitCells(content);
    if (cells === null) return false;
    // The line below the heads of a table.
    if (cells.every((cell) => /^[:-]*$/.test(cell)) && content.includes('-')) return true;
    const [first = '', ...others] = cells;
    const texts = others.filter((cell) => cell !== '');
    if (first === '' && texts.length >= 2 && question.options.length === 0) question.options = texts;
    else if (first !== '' && question.options.length > 0 && texts.every((cell) => !/[\p{L}]{2}/u.test(cell)))
      question.rows.push(first);
    else return false;
    return true;
  }

  /** "1 = Very bad … 5 = Very good", or one label a line, below a question. */
  private readPointsLine(content: string): boolean {
    const { question } = this;
    if (question === null) return false;
    const points = readPoints(content.trim());
    const single = /^\s*(?:[-–•*]\s+)?(-?\d{1,2}) ?[=–-] ?(\S.{0,200})$/.exec(content);
    if (points !== null) question.points = points;
    else if (single !== null)
      question.points.push({ point: Number(single[1]), label: (single[2] ?? '').trim() });
    // A point without a label between those that have one.
    else if (/^\s*\d{1,2}\s*$/.test(content) && Number(content) > (question.points.at(-1)?.point ?? Infinity))
      return true;
    else {
      // A question with its own options is none of them: "4. Do you agree? Yes / No".
      const isList = !NUMBER.test(content) && !/[?:]/.test(content);
      const options = isList && question.options.length === 0 ? readInlineOptions(content.trim()) : null;
      if (options === null) return false;
      question.options.push(...options);
    }
    return true;
  }

  private isHeading(content: string, line: number, isAfterBlank: boolean): boolean {
    const text = content.trim();
    if (MARKDOWN_HEADING.test(content) || NAMED_HEADING.test(content)) return true;
    if (!isAfterBlank || text.length > MAX_HEADING_CHARACTERS || /[?.!:*)]$/.test(text) || NUMBER.test(text))
      return false;
    if (/\p{Lu}{2}/u.test(text) && !/\p{Ll}/u.test(text)) return true;
    // Among numbered questions, a short separate line with a question below.
    const next = this.lines.slice(line).find((each) => each.trim() !== '');
    return this.isNumbered && next !== undefined && !OPTION.test(next);
  }

  /** Sentences at the beginning of a page that ask nothing. */
  private isIntroduction(content: string): boolean {
    const text = content.trim();
    const isAtStart = this.page.lines.every(({ kind }) => kind !== 'question');
    return (
      isAtStart &&
      !NUMBER.test(text) &&
      /[.!]$/.test(text) &&
      !text.includes('?') &&
      !SEVERAL.test(text) &&
      !RANK.test(text) &&
      text.includes(' ')
    );
  }

  /** Chooses the type, from the hints before anything else. */
  private finish(question: ParsedQuestion): void {
    const hint = this.hints.get(question) ?? {};
    if (AGREEMENT.test(question.text) && question.rows.length === 0 && question.options.length >= 2) {
      const isScale = question.options.some((option) => /\bagree\b/i.test(option));
      if (!isScale && hint.type === undefined) {
        question.rows = question.options;
        question.options = [...AGREEMENT_COLUMNS];
      }
    }
    const columns = question.rows.length === 0 && question.options.length > 0 ? ratingColumns(question) : [];
    if (columns.length > 0) {
      question.rows = question.options;
      question.options = columns;
    }
    question.type = guessType(question, hint, this.boxed.has(question));
  }

  /** A title above the first heading is the name of the survey. */
  private takeName(): void {
    const [first, second] = this.survey.pages;
    const [only, ...others] = first?.lines ?? [];
    if (
      only?.kind !== 'heading' ||
      second === undefined ||
      this.kinds.has(this.lines[only.line - 1]?.trim() ?? '')
    )
      return;
    if (others.some(({ kind }) => kind !== 'introduction') || second.lines[0]?.kind !== 'heading') return;
    this.survey.name = only.text;
    this.survey.pages.shift();
    // What introduces the survey stays on its first page, below the title.
    second.lines.splice(1, 0, ...others);
  }
}

/** The columns of "Rate these (1 = Bad … 5 = Good)", below which is what to rate; empty: the question is no such table. */
function ratingColumns({ text, points, range }: ParsedQuestion): string[] {
  const isRange = range !== null && /\brate\b/i.test(text);
  const numbers = [...points.map(({ point }) => point), ...(isRange ? [range.min, range.max] : [])];
  const max = Math.max(...numbers);
  if (numbers.length < 2 || Math.min(...numbers) !== 1 || max > MAX_SCALE_STEPS) return [];
  const labelAt = (point: number) => points.find((each) => each.point === point)?.label;
  return Array.from({ length: max }, (_, index) => labelAt(index + 1) ?? String(index + 1));
}

const headingText = (content: string): string => {
  const text = content.replace(MARKDOWN_HEADING, '').trim();
  const unnamed = text.replace(NAMED_HEADING, '').trim();
  return unnamed === '' ? text : unnamed;
};

/** "Price; Speed", "Poor / Fair / Good" or "Price, Speed". */
function splitList(list: string): string[] {
  const separator = [';', ' / ', '|', ','].find((each) => list.includes(each)) ?? ',';
  return list
    .split(separator)
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/** The cells of a line of a table; null: it is none. */
function splitCells(content: string): string[] | null {
  const bare = content.trimEnd();
  if (bare.trimStart().startsWith('|')) {
    const inner = bare.trim().slice(1);
    return (inner.endsWith('|') ? inner.slice(0, -1) : inner).split('|').map((cell) => cell.trim());
  }
  const cells = content.split('\t').map((cell) => cell.trim());
  return cells.length >= 3 || (cells.length === 2 && cells[0] !== '') ? cells : null;
}

function guessType(question: ParsedQuestion, hint: Hint, hasBoxes: boolean): PastedType {
  const { text, options, rows, points, range } = question;
  const asksForRecommendation = /\brecommend\b/i.test(text);
  const isTenPoints = range?.min === 0 && range.max === 10;
  if (rows.length > 0 && options.length > 0) return 'matrix';
  if (hint.type !== undefined && possibleTypes(question).includes(hint.type)) return hint.type;
  if (options.length > 0) {
    if (hasBoxes || SEVERAL.test(text)) return 'multiple_choice';
    if (/\b(?:add up to|distribute|divide) \d{2,4}\b/i.test(text)) return 'constant_sum';
    return RANK.test(text) ? 'ranking' : 'single_choice';
  }
  if (
    asksForRecommendation &&
    (isTenPoints || (range === null && /\bhow likely\b|\b0\s?(?:to|-|–)\s?10\b/i.test(text)))
  )
    return 'nps';
  if (points.length > 0) return 'scale';
  if (/\b(?:how many|how old|how often per|number of)\b|^(?:your )?age\b/i.test(text)) return 'number';
  if (/\b(?:date of|which date|when were you born)\b/i.test(text)) return 'date';
  if (/\bslider\b/i.test(text)) return 'slider';
  if (range !== null) return range.max - range.min > MAX_SCALE_STEPS ? 'slider' : 'scale';
  return /\b(?:1\s?(?:to|-|–)\s?5|on a scale)\b/i.test(text) ? 'scale' : 'text';
}
