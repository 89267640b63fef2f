import type { MarkdownForm, MarkdownNode } from '../../markdown/markdown.ts';
import type { MarkdownReader } from '../../markdown/read-markdown.ts';
import type { StoredAnswer, StoredAnswers } from '../../questions/answers/codec.ts';
import { isNoAnswer } from '../../questions/answers/read-answer.ts';
import type { QuestionRow, TableColumn } from '../../questions/question-type.ts';
import type { Option, Page, Question } from '../definition.ts';
import type { PreparedDefinition } from '../prepared-definition.ts';
import {
  evaluateLogic,
  type RespondentContext,
  type SurveyEnd,
  type VisitedQuestion,
} from './evaluate-logic.ts';
import { textsIn, type TranslatedTexts, translationFor } from '../../questions/localize.ts';
import { textForm } from '../../questions/text-form.ts';
import { fillPipes, type Pipe } from './piping.ts';
import { orderedOptions, orderedRows } from './random-order.ts';

/** Of lists in texts whose language is not given. */
const UNKNOWN_LANGUAGE = 'en';

/** Returns the text of a pipe; empty if the question, value or answer does not exist. */
class PipedValues {
  private readonly context: Pick<RenderContext, 'hidden' | 'respondent' | 'arms' | 'readMarkdown'>;
  private readonly language: string | null;

  /** `answers` contains only answers of shown and hidden questions. */
  constructor(
    private readonly prepared: PreparedDefinition,
    private readonly answers: StoredAnswers,
    context: RenderContext,
  ) {
    this.context = context;
    this.language = context.language;
  }

  private armLabel(blockCode: string): string {
    const block = this.prepared.definition.blocks.find(({ code }) => code === blockCode);
    const arm = block === undefined ? undefined : this.context.arms[block.id];
    return block?.arms.find(({ code }) => code === arm)?.label ?? '';
  }

  valueOf(pipe: Pipe): string {
    const { hidden, respondent } = this.context;
    if (pipe.kind === 'hidden') return hidden.get(pipe.name) ?? '';
    if (pipe.kind === 'respondent') return respondent?.name ?? '';
    if (pipe.kind === 'arm') return this.armLabel(pipe.name);
    if (pipe.kind === 'item') return '';
    if (pipe.kind === 'attribute') {
      const known = respondent !== null && Object.hasOwn(respondent.attributes, pipe.name);
      return known ? String(respondent.attributes[pipe.name]) : '';
    }
    const known = this.prepared.byCode.get(pipe.code);
    const answer = known && Object.hasOwn(this.answers, pipe.code) ? this.answers[pipe.code] : null;
    if (!known || answer === null || answer === undefined) return '';
    const { question, codec } = known;
    if (pipe.form === 'code') return codec.pipedCode(question, answer);
    const texts = textsIn(translationFor(question.settings.translations, this.language));
    const labels: TranslatedTexts = {
      ...texts,
      entry: (group, key, original) => {
        const label = texts.entry(group, key, original);
        return group === 'point_labels' ? label : this.withoutFormat(label);
      },
    };
    return codec.pipedText(question, answer, labels, this.language ?? UNKNOWN_LANGUAGE);
  }

  private withoutFormat<T extends string | null>(label: T): string | T {
    return (label === null ? null : this.context.readMarkdown?.(label, 'inline')?.plain) ?? label;
  }
}

/** The texts of a page or a question with format, by name: `description`, `options.3`. Other texts are shown as they are. */
type FormattedTexts = ReadonlyMap<string, readonly MarkdownNode[]>;

/** Fills the texts of a page or a question, and collects those with format. */
class ShownTexts {
  readonly formatted = new Map<string, readonly MarkdownNode[]>();
  private readonly fillers: NonNullable<Parameters<MarkdownReader>[2]>;

  constructor(
    private readonly texts: TranslatedTexts,
    private readonly piped: PipedValues,
    private readonly readMarkdown: MarkdownReader | undefined,
  ) {
    this.fillers = {
      text: (text) => this.fill(text),
      address: (address) => fillPipes(address, (pipe) => encodeURIComponent(piped.valueOf(pipe))),
    };
  }

  fill(text: string): string {
    return fillPipes(text, (pipe) => this.piped.valueOf(pipe));
  }

  /** Returns a text that has no format. */
  plain(key: string, original: string | null): string | null {
    const text = this.texts.text(key, original);
    return text === null ? null : this.fill(text);
  }

  /** Returns the plain text of a text with format. */
  text<T extends string | null>(key: string, original: T, form: MarkdownForm): string | T {
    const text = this.texts.text(key, original);
    return text === null ? text : this.format(key, text, form);
  }

  entry(group: string, key: string, original: string): string {
    return this.format(`${group}.${key}`, this.texts.entry(group, key, original), 'inline');
  }

  private format(name: string, text: string, form: MarkdownForm): string {
    const formatted = this.readMarkdown?.(text, form, this.fillers);
    if (!formatted) return this.fill(text);
    this.formatted.set(name, formatted.nodes);
    return formatted.plain;
  }
}

export interface RenderContext extends RespondentContext {
  /** null: the original texts. */
  language: string | null;
  /** The survey's translations (survey_settings.translations), which include those of pages. */
  translations?: unknown;
  /** Absent: all texts are shown as they are. */
  readMarkdown?: MarkdownReader | undefined;
}

export interface PageView {
  page: Page;
  title: string | null;
  description: string | null;
  /** Empty for a text page. */
  questions: QuestionView[];
  /** The page's translation, which determines the texts that are in the respondent's language. */
  texts: TranslatedTexts;
  formatted: FormattedTexts;
}

export interface RenderedSurvey {
  /** Visited pages, in order. Pages after the current one are predicted from the answers so far. */
  pages: PageView[];
  /** Codes of the questions that are shown. */
  shown: ReadonlySet<string>;
  /** The skip that ends the response; null: it continues to the last page. */
  end: SurveyEnd | null;
  /** Whether the pages after the last one depend on an arm that the server assigns. */
  awaitsArm: boolean;
}

/** Renders all pages that one respondent sees, for the given answers. Always terminates. All strings are plain text. */
export function renderSurvey(
  prepared: PreparedDefinition,
  answers: StoredAnswers,
  context: RenderContext,
): RenderedSurvey {
  const route = evaluateLogic(
    prepared,
    ({ question: { code }, codec }) => {
      const answer = Object.hasOwn(answers, code) ? answers[code] : undefined;
      const isNoneTicked = codec.takesEmptyList && Array.isArray(answer);
      return answer !== undefined && isNoAnswer(answer) && !isNoneTicked ? null : answer;
    },
    context,
  );
  const piped = new PipedValues(prepared, route.answers, { ...context, arms: route.arms });
  const shownTexts = (texts: TranslatedTexts) => new ShownTexts(texts, piped, context.readMarkdown);
  const pageTexts = pageTranslations(context);
  const pages = route.pages.map(({ page, questions }): PageView => {
    const texts = textsIn(pageTexts(page.id));
    const shown = shownTexts(texts);
    return {
      page,
      title: shown.plain('page_title', page.title),
      description: shown.text('page_description', page.description, 'blocks'),
      questions: questions.map((visited) => renderVisitedQuestion(visited, context, shownTexts)),
      texts,
      formatted: shown.formatted,
    };
  });
  return { pages, shown: route.shown, end: route.end, awaitsArm: route.awaited !== null };
}

function renderVisitedQuestion(
  { prepared: { question, options: all, codec }, options, answer }: VisitedQuestion,
  context: RenderContext,
  shownTexts: (texts: TranslatedTexts) => ShownTexts,
): QuestionView {
  const asked =
    options.length === all.length
      ? question
      : // A question keeps its type.
        (codec.withOfferedOptions(question, options) as Question);
  return renderQuestion(asked, options, {
    language: context.language,
    seed: context.seed ?? '',
    shownTexts,
    answer,
  });
}

function pageTranslations({ translations, language }: RenderContext): (pageId: number) => unknown {
  const { pages } = (translationFor(translations, language) ?? {}) as { pages?: Record<string, unknown> };
  return (pageId) => (pages && Object.hasOwn(pages, String(pageId)) ? pages[String(pageId)] : null);
}

/** Texts around the input, by setting name. */
interface QuestionLabels {
  min_label: string | null;
  mid_label: string | null;
  max_label: string | null;
  prefix: string | null;
  suffix: string | null;
  other_label: string | null;
  /** Of a scale, by point. */
  points: ReadonlyMap<string, string>;
}

/** A question rendered for one respondent: translated, piped and ordered. */
export interface QuestionView {
  /** With the offered options only, and limits that they can reach. */
  question: Question;
  /** The answer so far. */
  answer: StoredAnswer | null;
  text: string;
  description: string | null;
  image: { url: string; alt: string } | null;
  media: { url: string; alt: string | null; captions: Readonly<Record<string, string>> } | null;
  placeholder: string | null;
  /** The offered options; for a matrix, its columns. */
  options: Option[];
  /** Of a matrix or a table. */
  rows: QuestionRow[];
  /** The labels of a table's columns, by code. */
  columns: ReadonlyMap<string, string>;
  labels: QuestionLabels;
  /** The question's translation, which determines the texts that are in the respondent's language. */
  texts: TranslatedTexts;
  formatted: FormattedTexts;
}

/** The columns of a table; choices have a number of columns. */
const columnsOf = ({ settings }: Question): readonly Pick<TableColumn, 'column_code' | 'column_label'>[] =>
  'columns' in settings && typeof settings.columns !== 'number' ? settings.columns : [];

interface QuestionRenderContext {
  language: string | null;
  seed: string;
  shownTexts: (texts: TranslatedTexts) => ShownTexts;
  answer: StoredAnswer | null;
}

/**
 * Renders a question for one respondent: translated, with piped texts, options in shuffled order. `options` are those left by logic; the
 * same seed gives the same order.
 */
function renderQuestion(
  question: Question,
  options: readonly Option[],
  { language, seed, shownTexts, answer }: QuestionRenderContext,
): QuestionView {
  const { settings } = question;
  const texts = textsIn(translationFor(settings.translations, language));
  const shown = shownTexts(texts);
  const own = (key: string, original: string | null) => shown.plain(key, original);
  return {
    question,
    answer,
    text: shown.text('question_text', question.text, textForm(question)),
    description: shown.text('description', settings.description, 'blocks'),
    image:
      settings.image_url === null
        ? null
        : { url: settings.image_url, alt: own('image_alt', settings.image_alt) ?? '' },
    media:
      settings.media_url === null
        ? null
        : {
            url: settings.media_url,
            alt: own('media_alt', settings.media_alt),
            captions: settings.media_captions ?? {},
          },
    placeholder: own('placeholder', settings.placeholder),
    options: orderedOptions(question, options, seed).map((option) => ({
      ...option,
      label: shown.entry('options', String(option.code), option.label),
    })),
    rows: orderedRows(question, seed).map((row) => ({
      ...row,
      row_label: shown.entry('rows', row.row_code, row.row_label),
    })),
    columns: new Map(
      columnsOf(question).map(({ column_code: code, column_label: label }) => [
        code,
        shown.entry('columns', code, label),
      ]),
    ),
    labels: {
      min_label: own('min_label', 'min_label' in settings ? settings.min_label : null),
      mid_label: own('mid_label', 'mid_label' in settings ? settings.mid_label : null),
      max_label: own('max_label', 'max_label' in settings ? settings.max_label : null),
      prefix: own('prefix', 'prefix' in settings ? settings.prefix : null),
      suffix: own('suffix', 'suffix' in settings ? settings.suffix : null),
      other_label: own('other_label', 'other_label' in settings ? settings.other_label : null),
      points: new Map(
        Object.entries(('point_labels' in settings ? settings.point_labels : null) ?? {}).map(
          ([point, label]) => [point, shown.fill(texts.entry('point_labels', point, label))],
        ),
      ),
    },
    texts,
    formatted: shown.formatted,
  };
}
