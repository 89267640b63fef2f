import type { QuestionType } from '../../question-types/question-type.ts';
import {
  columnsOf,
  type LineKind,
  MAX_SCALE_STEPS,
  type ParsedPage,
  type ParsedQuestion,
  type ParsedSurvey,
  type ParsedText,
  possibleTypes,
  understandAs,
} from './parsed-survey.ts';
import {
  type Hint,
  readCommaOptions,
  readInlineOptions,
  readNumberLine,
  readPoints,
  readQuestionText,
  reasonInWords,
} from './pasted-hints.ts';

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
const MAX_HEADING_CHARACTERS = 80;
const MAX_PLAIN_OPTION_CHARACTERS = 60;
/** "How satisfied …", "Your age": a line that asks, although it has no question mark. */
const ASKS =
  /^(?:what|which|who|whom|whose|when|where|why|how|do|does|did|is|are|was|were|have|has|can|could|would|will|your|please|rate|rank|select|choose)\b/i;
const ENDING =
  /^(?:thanks?\b|many thanks\b|that(?:['’]s| is) (?:all|it|the end)\b|end of (?:the |this )?(?:survey|questionnaire)\b|you have (?:now )?(?:finished|completed|reached the end)\b)/i;

/** A question while its lists are read. */
interface OpenQuestion extends ParsedQuestion {
  written: { options: string[]; rows: string[] };
}

/** How a page title is written: a plain line, "Section A", or by the number of its "#". Titles of pages look alike. */
type HeadingStyle = 'plain' | 'named' | number;

/**
 * Reads a questionnaire: questions with their options below, after a mark, indented, or as they follow a question; headings and lines of
 * three dashes start a page. `kinds` has what the user made of a line, by its text.
 */
export function parseSurveyText(
  text: string,
  kinds: ReadonlyMap<string, LineKind> = new Map(),
): ParsedSurvey {
  return new TextReader(text.split(/\r\n|\r|\n/), kinds).read();
}

class TextReader {
  private readonly survey: ParsedSurvey = {
    name: null,
    pages: [],
    ending: [],
    dropped: [],
    strayOptionLines: [],
  };
  private page: ParsedPage = { lines: [] };
  private question: OpenQuestion | null = null;
  private readonly boxed = new Set<ParsedQuestion>();
  private readonly hints = new Map<ParsedQuestion, Hint>();
  /** Questions whose options are the heads of a table, so that the lines below are its rows. */
  private readonly headed = new Set<ParsedQuestion>();
  private readonly headingStyles = new Map<ParsedText, HeadingStyle>();
  /** Whether the options below a dropped question are dropped with it. */
  private isDropping = false;
  /** Whether questions have numbers, so that lines without a number are not questions. */
  private readonly isNumbered: boolean;
  /** Whether questions have a "Q", so that a number alone begins an option. */
  private readonly hasQNumbers: boolean;
  /** Line, from 1, that thanks the respondents at the end of the text; Infinity: none. */
  private readonly endingLine: number;

  constructor(
    private readonly lines: readonly string[],
    private readonly kinds: ReadonlyMap<string, LineKind>,
  ) {
    this.hasQNumbers = lines.filter((line) => Q_NUMBER.test(line)).length >= 2;
    this.isNumbered = this.hasQNumbers || lines.filter((line) => NUMBER.test(line)).length >= 2;
    this.endingLine = findEndingLine(lines);
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
      page.lines = page.lines.map((line) => (line.kind === 'question' ? this.finish(line) : line));
    this.takeName();
    this.takeEndTitle();
    return this.survey;
  }

  private readLine(content: string, line: number, isAfterBlank: boolean): void {
    if (PAGE_BREAK.test(content)) {
      this.endPage();
      return;
    }
    const kind = this.kinds.get(content.trim());
    if (kind !== undefined) this.readAs(kind, content, line);
    else if (line >= this.endingLine) this.readAs('ending', content, line);
    else if (this.readTableLine(content, isAfterBlank) || this.readPointsLine(content, line, isAfterBlank))
      return;
    else if (this.isOption(content, line, isAfterBlank)) this.addOption(content, line);
    else if (this.isHeading(content, line, isAfterBlank)) this.addHeading(content, line);
    else if (this.isIntroduction(content)) this.addText('introduction', content, line);
    else this.addQuestion(content, line);
  }

  private readAs(kind: LineKind, content: string, line: number): void {
    switch (kind) {
      case 'dropped':
        this.survey.dropped.push({ line, text: content.trim() });
        this.question = null;
        this.isDropping = true;
        return;
      case 'heading':
        this.addHeading(content, line);
        return;
      case 'introduction':
        this.addText(kind, content, line);
        return;
      case 'name':
        this.survey.name = { kind, line, text: headingText(content) };
        return;
      case 'ending':
        this.survey.ending.push({ kind, line, text: headingText(content) });
        return;
      case 'question':
        this.addQuestion(content, line);
    }
  }

  private endPage(): void {
    if (this.page.lines.length > 0) this.survey.pages.push(this.page);
    this.page = { lines: [] };
    this.question = null;
    this.isDropping = false;
  }

  private addText(kind: 'heading' | 'introduction', content: string, line: number): void {
    const text: ParsedText = {
      kind,
      line,
      text: kind === 'heading' ? headingText(content) : content.trim(),
    };
    if (kind === 'heading') this.headingStyles.set(text, headingStyle(content));
    this.page.lines.push(text);
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
    const question: OpenQuestion = {
      kind: 'question',
      line,
      text,
      type: 'text',
      isRequired: hint.isRequired ?? false,
      written: { options: [...(hint.options ?? [])], rows: [] },
      options: [],
      rows: [],
      isTableProposed: false,
      noAnswers: [],
      range: hint.range ?? null,
      points: hint.points ?? [],
      maxSelections: hint.maxSelections ?? null,
    };
    this.hints.set(question, hint);
    this.page.lines.push(question);
    this.question = question;
    this.isDropping = false;
  }

  private isOption(content: string, line: number, isAfterBlank: boolean): boolean {
    if (MARKDOWN_HEADING.test(content)) return false;
    if (OPTION.test(content)) return true;
    if (isAfterBlank || (this.question === null && !this.isDropping)) return false;
    if (this.hasQNumbers) return !Q_NUMBER.test(content);
    if (this.isNumbered) return !NUMBER.test(content) && !content.trim().endsWith('?');
    return this.question !== null && this.isPlainOption(this.question, content, line);
  }

  /** Whether a line without a mark, below a question without a number, is one of its options. */
  private isPlainOption(question: OpenQuestion, content: string, line: number): boolean {
    if (reasonInWords(content.trim()) !== null) return true;
    // Below a question that ends with its mark, until a line that is a question.
    if (!/[?:*)\]]$/.test(this.lines[question.line - 1]?.trimEnd() ?? '')) return false;
    if (question.written.options.length > 0) return !/[?*]$/.test(content.trim());
    if (question.points.length > 0 || question.written.rows.length > 0) return false;
    // Two such lines are options; one is a text.
    return isPlainLabel(content) && isPlainLabel(this.lines[line] ?? '');
  }

  private addOption(content: string, line: number): void {
    if (this.isDropping) return;
    const unmarked = content.replace(OPTION, '').replace(MARKER, '');
    const label = (this.hasQNumbers ? unmarked.replace(/^\s*\d{1,2}[.)]\s+/, '') : unmarked).trim();
    if (this.question === null) {
      this.survey.strayOptionLines.push(line);
      return;
    }
    const { options } = this.question.written;
    const listed = options.length === 0 ? readInlineOptions(label) : null;
    options.push(...(listed ?? [label]));
    if (BOX.test(content.trimStart())) this.boxed.add(this.question);
  }

  /** "Rows: Price; Speed", or a line of a table whose cells are separated by tabs or bars. */
  private readTableLine(content: string, isAfterBlank: boolean): boolean {
    const { question } = this;
    if (question === null) return false;
    const named = ROWS_OR_COLUMNS.exec(content);
    if (named !== null) return this.readNamedList(question, named[1] ?? '', splitList(named[2] ?? ''));
    const cells = splitCells(content);
    if (cells === null) {
      const isRow = this.headed.has(question) && !isAfterBlank && !asksSomething(content);
      if (isRow) question.written.rows.push(content.replace(OPTION, '').trim());
      return isRow;
    }
    // The line below the heads of a table.
    if (cells.every((cell) => /^[:-]*$/.test(cell)) && content.includes('-')) return true;
    return this.readHeads(question, content, cells) || this.readRow(question, cells);
  }

  private readNamedList(question: OpenQuestion, name: string, items: string[]): boolean {
    if (items.length < 2) return false;
    if (/^(?:rows|statements|items)$/i.test(name)) question.written.rows.push(...items);
    else {
      question.written.options = items;
      if (question.written.rows.length === 0) this.headed.add(question);
    }
    return true;
  }

  /** The heads of a table, with or without a head above its rows. */
  private readHeads(question: OpenQuestion, content: string, cells: readonly string[]): boolean {
    const heads = cells.filter((cell) => cell !== '');
    const { written } = question;
    if (heads.length < 2 || written.options.length > 0 || written.rows.length > 0 || asksSomething(content))
      return false;
    // "Not at all | 1 | 2 | 3 | Very" is a scale.
    if ((readNumberLine(content)?.points.length ?? 0) > 0) return false;
    written.options = heads;
    this.headed.add(question);
    return true;
  }

  private readRow(question: OpenQuestion, [first = '', ...others]: readonly string[]): boolean {
    const { written } = question;
    if (
      first === '' ||
      written.options.length === 0 ||
      others.some((cell) => cell !== '' && /[\p{L}]{2}/u.test(cell))
    )
      return false;
    // A row with as many cells as there are heads: the first head is above the rows.
    const isFirstRow = written.rows.length === 0 && this.headed.has(question);
    if (isFirstRow && others.length === written.options.length - 1) written.options.shift();
    written.rows.push(first);
    return true;
  }

  /** "1 = Very bad … 5 = Very good", one label a line, "Not at all 1 2 3 4 5 Very", or options in a line, below a question. */
  private readPointsLine(content: string, line: number, isAfterBlank: boolean): boolean {
    const { question } = this;
    if (question === null) return false;
    const points = readPoints(content.trim());
    const single = /^\s*(?:[-–•*]\s+)?(-?\d{1,2}) ?(?:= ?|[–-] ?(?!\d))(\S.{0,200})$/.exec(content);
    if (points !== null) question.points = points;
    else if (single !== null)
      question.points.push({ point: Number(single[1]), label: (single[2] ?? '').trim() });
    // A point without a label between those that have one.
    else if (/^\s*\d{1,2}\s*$/.test(content) && Number(content) > (question.points.at(-1)?.point ?? Infinity))
      return true;
    else return !isAfterBlank && this.readAnswersInLine(question, content, line);
    return true;
  }

  private readAnswersInLine(question: OpenQuestion, content: string, line: number): boolean {
    // A question with its own options is none of them: "4. Do you agree? Yes / No".
    if (question.written.options.length > 0 || NUMBER.test(content) || /[?:]/.test(content)) return false;
    const text = content.trim();
    const scale = question.points.length === 0 && !OPTION.test(content) ? readNumberLine(text) : null;
    if (scale !== null) {
      question.range = scale.range;
      question.points = scale.points;
      return true;
    }
    const isAlone = !OPTION.test(content) && !isPlainLabel(this.lines[line] ?? '');
    const options = readInlineOptions(text) ?? (isAlone ? readCommaOptions(text) : null);
    question.written.options.push(...(options ?? []));
    return options !== null;
  }

  private isHeading(content: string, line: number, isAfterBlank: boolean): boolean {
    const text = content.trim();
    if (MARKDOWN_HEADING.test(content) || NAMED_HEADING.test(content)) return true;
    if (
      !isAfterBlank ||
      text.length > MAX_HEADING_CHARACTERS ||
      /[?.!:*)\]]$/.test(text) ||
      NUMBER.test(text)
    )
      return false;
    if (/\p{Lu}{2}/u.test(text) && !/\p{Ll}/u.test(text)) return true;
    const next = this.lines.slice(line).find((each) => each.trim() !== '');
    if (next === undefined || OPTION.test(next)) return false;
    // Among numbered questions, a short separate line with a question below; else the first line, above something else.
    return this.isNumbered || (this.isFirst(line) && !ASKS.test(text) && !isPlainLabel(next));
  }

  private isFirst(line: number): boolean {
    return this.lines.slice(0, line - 1).every((each) => each.trim() === '');
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
  private finish(question: ParsedQuestion): ParsedQuestion {
    const hint = this.hints.get(question) ?? {};
    return understandAs(question, guessType(question, hint, this.boxed.has(question)));
  }

  /** A title above the first heading is the name of the survey, and so is a title that looks like no other one. */
  private takeName(): void {
    const [page, next] = this.survey.pages;
    const [title, ...others] = page?.lines ?? [];
    if (page === undefined || title?.kind !== 'heading' || this.survey.name !== null) return;
    if (this.kinds.has(this.lines[title.line - 1]?.trim() ?? '')) return;
    const isAboveAll =
      others.every(({ kind }) => kind === 'introduction') && next?.lines[0]?.kind === 'heading';
    const style = this.headingStyles.get(title);
    const isLikeNone =
      style !== 'named' && [...this.headingStyles.values()].filter((each) => each === style).length === 1;
    if (!isAboveAll && !(isLikeNone && this.isFirst(title.line))) return;
    this.survey.name = { ...title, kind: 'name' };
    page.lines.shift();
    // What introduces the survey stays on its first page, below the title.
    if (isAboveAll) {
      this.survey.pages.shift();
      next?.lines.splice(1, 0, ...others);
    } else if (others.length === 0) this.survey.pages.shift();
  }

  /** The title of a last page without questions is that of the end page. */
  private takeEndTitle(): void {
    const [title, ...others] = this.survey.pages.at(-1)?.lines ?? [];
    if (this.survey.ending.length === 0 || title?.kind !== 'heading' || others.length > 0) return;
    this.survey.ending.unshift({ ...title, kind: 'ending' });
    this.survey.pages.pop();
  }
}

/** Whether a line can be an option without a mark: a few words that ask and end nothing. */
const isPlainLabel = (content: string): boolean => {
  const text = content.trim();
  return (
    text !== '' &&
    text.length <= MAX_PLAIN_OPTION_CHARACTERS &&
    !/[?.!:*)\]]$/.test(text) &&
    ![ASKS, NUMBER, PAGE_BREAK, MARKDOWN_HEADING, NAMED_HEADING].some((pattern) => pattern.test(text))
  );
};

const asksSomething = (content: string): boolean => content.includes('?') || NUMBER.test(content);

/** The line, from 1, where the text begins to thank the respondents, below all questions; Infinity: it does not. */
function findEndingLine(lines: readonly string[]): number {
  for (let index = lines.length - 1; index > 0; index -= 1) {
    const content = lines[index] ?? '';
    if (ENDING.test(headingText(content)) && !content.includes('?'))
      return lines.slice(0, index).some((line) => asksSomething(line) || OPTION.test(line))
        ? index + 1
        : Infinity;
    if (asksSomething(content) || OPTION.test(content) || PAGE_BREAK.test(content)) return Infinity;
  }
  return Infinity;
}

const headingStyle = (content: string): HeadingStyle =>
  MARKDOWN_HEADING.exec(content)?.[0].trim().length ?? (NAMED_HEADING.test(content) ? 'named' : 'plain');

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
  const bare = content.trim();
  if (bare.includes('|')) {
    const hasEdge = bare.startsWith('|');
    return bare
      .slice(hasEdge ? 1 : 0, hasEdge && bare.endsWith('|') ? -1 : undefined)
      .split('|')
      .map((cell) => cell.trim());
  }
  const cells = content.split('\t').map((cell) => cell.trim());
  return cells.length >= 3 || (cells.length === 2 && cells[0] !== '') ? cells : null;
}

/** Whether options are to be rated in a table: "How much do you agree?", or "Rate these (1-5)". */
function ratesOptions({ text, written, points, range }: ParsedQuestion): boolean {
  if (written.rows.length > 0 || written.options.length < 2) return false;
  const isRange = /\brate\b/i.test(text);
  if (columnsOf({ points, range: isRange ? range : null }) !== null) return true;
  return AGREEMENT.test(text) && !written.options.some((option) => /\bagree\b/i.test(option));
}

function guessType(question: ParsedQuestion, hint: Hint, hasBoxes: boolean): QuestionType {
  const { text, written, points, range } = question;
  if (written.rows.length > 0 && written.options.length > 0) return 'matrix';
  if ((hint.type ?? 'scale') === 'scale' && ratesOptions(question)) return 'matrix';
  if (hint.type !== undefined && possibleTypes(question).includes(hint.type)) return hint.type;
  // "Prefer not to say" alone is no list of options.
  if (written.options.some((label) => reasonInWords(label) === null)) {
    if (hasBoxes || SEVERAL.test(text)) return 'multiple_choice';
    if (/\b(?:add up to|distribute|divide) \d{2,4}\b/i.test(text)) return 'constant_sum';
    return RANK.test(text) ? 'ranking' : 'single_choice';
  }
  const asksForRecommendation = /\brecommend\b/i.test(text);
  const isTenPoints = range?.min === 0 && range.max === 10;
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
