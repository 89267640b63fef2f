import {
  duplicateOf,
  duplicateItem,
  quote,
  requiredField,
  sizeAtMost,
  unknownObject,
} from '../../lib/error-messages.ts';
import type { ErrorDetail } from '../../lib/errors.ts';
import { schemaProblems, schemaWording } from '../../lib/schema-problems.ts';
import { mergeSettings } from '../../lib/settings.ts';
import { isRecord } from '../questions/answers/read-answer.ts';
import { armProblem, changedArms, changedLoop } from './block-input.ts';
import { blockCodeProblem, interruptedBlock } from './block-structure.ts';
import { type Block, blocksAround } from './blocks.ts';
import { loopProblems } from './loop-rules.ts';
import { type Page, PLAIN_PAGE, type Question, questionsOf, type SurveyDefinition } from './definition.ts';
import type { PageLogic, Skip } from '../questions/logic-schema.ts';
import { type QuestionType, requiredProblem, tableOfSettings } from '../questions/registry.ts';
import {
  carryForwardOf,
  namesOfSurvey,
  readBlockLogic,
  readPageLogic,
  readQuestionLogic,
} from './logic/read-logic.ts';
import { pagesWithTranslations, withoutPreviousSurvey } from './survey-settings.ts';
import { reconcileOptions } from '../questions/options.ts';
import { withCarriedOptions } from './carried-options.ts';
import { parseQuestionSettings, type SettingsResult } from '../questions/parse-question-settings.ts';
import { completeTable } from './tables.ts';
import { codeProblem, isCodeTaken, nextQuestionCode } from './question-codes.ts';
import { mapSourcePages } from './translations/translation-sources.ts';
import { attentionCheckQuestions, changeQualitySettings } from './quality-settings.ts';
import {
  EXPORT_FORMAT,
  EXPORT_VERSION,
  MAX_OPTIONS_OF_SURVEY,
  MAX_QUESTIONS,
  type SurveyContent,
  type SurveyDocument,
  surveyExportSchema,
} from './survey-export.ts';

export interface ImportedSurvey extends SurveyContent {
  /** The highest option code by local question id; stored with the question. */
  highestCodes: Map<number, number>;
}
type ImportResult = { ok: true; survey: ImportedSurvey } | { ok: false; problems: ErrorDetail[] };

const MAX_PROBLEMS = 100;

type ExportedPage = SurveyDocument['survey']['pages'][number];
type ExportedQuestion = ExportedPage['questions'][number];

interface BuiltPage {
  exported: ExportedPage;
  page: Page;
}

/** Completes the settings of a table. */
function withCompleteTable<T extends QuestionType>(type: T, settings: SettingsResult<T>): SettingsResult<T> {
  const table = settings.ok ? tableOfSettings(type, settings.settings) : null;
  if (!settings.ok || table === null) return settings;
  const completed = completeTable(null, table, false);
  return completed.ok
    ? { ok: true, settings: { ...settings.settings, ...completed.table } }
    : {
        ok: false,
        problems: completed.problems.map((one) => ({ ...one, field: `question_settings.${one.field}` })),
      };
}

/** Returns the document; also accepts the complete reply of an export (`{"success":1,"data":…}`) or only the `survey` object. */
function unwrapDocument(input: unknown): unknown {
  if (!isRecord(input)) return input;
  if (Object.hasOwn(input, 'success') && isRecord(input.data)) return unwrapDocument(input.data);
  const isBare = !Object.hasOwn(input, 'format') && !Object.hasOwn(input, 'survey');
  return isBare && Object.hasOwn(input, 'survey_name')
    ? { format: EXPORT_FORMAT, version: EXPORT_VERSION, survey: input }
    : input;
}

/** Adds the local ids of the file; items without an id get an unused one. */
function withLocalIds<T>(items: readonly T[], idOf: (item: T) => number | undefined): (T & { id: number })[] {
  let next = Math.max(0, ...items.map((item) => idOf(item) ?? 0));
  return items.map((item) => ({ ...item, id: idOf(item) ?? ++next }));
}

class SurveyImporter {
  readonly problems: ErrorDetail[] = [];
  private readonly highestCodes = new Map<number, number>();
  private readonly codes = new Map<string, string>();
  private readonly fields = new Map<number, string>();
  /** In the order of the file; ids are places in it, from 1. */
  private blocks: Block[] = [];

  constructor(private readonly document: SurveyDocument) {}

  /** Yields between pages. */
  *build(): Generator<void, ImportedSurvey> {
    const { survey } = this.document;
    const exportedPages = withLocalIds(
      survey.pages.map((exported, index) => ({ exported, field: `survey.pages[${index}]` })),
      ({ exported }) => exported.page_id,
    );
    const exportedQuestions = withLocalIds(
      exportedPages.flatMap((page, pageIndex) =>
        page.exported.questions.map((exported, index) => {
          return { exported, page, field: questionField(pageIndex, index) };
        }),
      ),
      ({ exported }) => exported.question_id,
    );
    if (exportedQuestions.length > MAX_QUESTIONS) {
      this.addProblem('survey.pages', sizeAtMost(MAX_QUESTIONS, 'question', exportedQuestions.length));
    }
    for (const { exported, field } of exportedQuestions) this.reserveCode(exported, field);
    this.buildBlocks();
    this.rejectDuplicates(exportedPages, 'page_id');
    this.rejectDuplicates(exportedQuestions, 'question_id');

    const builtPages: BuiltPage[] = [];
    for (const exportedPage of exportedPages) {
      const { exported, id } = exportedPage;
      builtPages.push({
        exported,
        page: {
          id,
          title: exported.page_title ?? null,
          description: exported.page_description ?? null,
          logic: null,
          ...PLAIN_PAGE,
          ...this.placeOfPage(exported, exportedPage.field),
          retired: false,
          questions: exportedQuestions
            .filter(({ page }) => page === exportedPage)
            .flatMap((question) => this.buildQuestion(question) ?? []),
        },
      });
      yield;
    }
    const pages = builtPages.map(({ page }) => page);
    const pageIds = new Set(exportedPages.map(({ id }) => id));
    const questionIds = new Set(exportedQuestions.map(({ id }) => id));
    const definition: SurveyDefinition = {
      surveyId: 0,
      version: 0,
      name: survey.survey_name,
      description: survey.survey_description ?? null,
      pages,
      blocks: this.blocks,
      arrangement: survey.survey_arrangement ?? null,
      previous: null,
    };
    yield* this.readLogic(definition, builtPages);
    this.checkOptionCount(definition);
    this.checkBlocks(definition);
    this.checkSkips(pages, pageIds, questionIds);
    return {
      definition,
      surveyType: survey.survey_type,
      settings: this.buildSettings(pageIds),
      translationSources: mapSourcePages(survey.translation_sources ?? {}, (id) =>
        pageIds.has(id) ? id : null,
      ),
      qualitySettings: this.buildQualitySettings(definition, questionIds),
      samplingDesign: survey.sampling_design ?? null,
      highestCodes: this.highestCodes,
    };
  }

  private addProblem(field: string, message: string): void {
    this.problems.push({ field, message });
  }

  private reserveCode({ question_code: code }: ExportedQuestion, field: string): void {
    if (code === undefined) return;
    const problem = codeProblem(code);
    const other = this.codes.get(code.toLowerCase());
    if (problem !== null) this.addProblem(`${field}.question_code`, problem);
    else if (other !== undefined) {
      this.addProblem(`${field}.question_code`, `${duplicateOf(other, code)} (codes are not case-sensitive)`);
    }
    this.codes.set(code.toLowerCase(), field);
  }

  private newCode(field: string): string {
    const code = nextQuestionCode(this.codes.keys());
    this.codes.set(code.toLowerCase(), field);
    return code;
  }

  /** Reads the blocks without their logic. */
  private buildBlocks(): void {
    const { blocks } = this.document.survey;
    const idOf = (code: string) => blocks.findIndex((block) => isCodeTaken(code, [block.block_code])) + 1;
    this.blocks = blocks.map((exported, index): Block => {
      const field = `survey.blocks[${index}]`;
      const { parent_block_code: parent } = exported;
      if (parent !== undefined && parent !== null && idOf(parent) === 0)
        this.addProblem(
          `${field}.parent_block_code`,
          unknownObject({ kind: 'block', idOrCode: parent, scope: 'in this file' }),
        );
      return {
        id: index + 1,
        code: exported.block_code,
        title: exported.block_title ?? null,
        parentId: parent === undefined || parent === null ? null : idOf(parent) || null,
        arm: exported.shown_to_arm ?? null,
        arrangement: exported.block_arrangement ?? null,
        arms: changedArms([], exported.arms, false),
        assignment: exported.arm_assignment,
        logic: null,
        loop: changedLoop(null, exported.block_loop ?? null, false),
        retired: false,
      };
    });
  }

  private placeOfPage(exported: ExportedPage, field: string): Pick<Page, 'blockId' | 'arm' | 'arrangement'> {
    const { block_code: code, shown_to_arm: arm, page_arrangement: arrangement } = exported;
    const isNamed = code !== undefined && code !== null;
    const block = isNamed ? this.blocks.find((each) => isCodeTaken(code, [each.code])) : undefined;
    if (isNamed && block === undefined)
      this.addProblem(
        `${field}.block_code`,
        unknownObject({ kind: 'block', idOrCode: code, scope: 'in this file' }),
      );
    const problem = armProblem(block, arm ?? null);
    if (problem !== null) this.addProblem(`${field}.shown_to_arm`, problem);
    return { blockId: block?.id ?? null, arm: arm ?? null, arrangement: arrangement ?? null };
  }

  /** Checks the codes, places and arms of blocks. */
  private checkBlocks(definition: SurveyDefinition): void {
    const { blocks, pages } = definition;
    for (const [index, block] of blocks.entries()) {
      const field = `survey.blocks[${index}]`;
      const code = blockCodeProblem(block.code, { ...definition, blocks: blocks.slice(0, index) }, null);
      if (code !== null) this.addProblem(`${field}.block_code`, code);
      // Each block's own parents end at the survey, unless it is within itself.
      if (block.parentId !== null && blocksAround(blocks, block.id)[0]?.parentId !== null)
        this.addProblem(`${field}.parent_block_code`, 'the block would be within itself');
      const arm = armProblem(
        blocks.find(({ id }) => id === block.parentId),
        block.arm,
      );
      if (arm !== null) this.addProblem(`${field}.shown_to_arm`, arm);
      for (const problem of loopProblems(block, definition))
        this.addProblem(`${field}.${problem.field}`, problem.message);
    }
    const interrupted = interruptedBlock(pages, blocks);
    if (interrupted !== null)
      this.addProblem(
        'survey.pages',
        `the pages of the block ${quote(interrupted.code)} must follow each other`,
      );
  }

  private rejectDuplicates(items: readonly { id: number; field: string }[], name: string): void {
    const seen = new Set<number>();
    for (const { id, field } of items) {
      if (seen.has(id)) this.addProblem(`${field}.${name}`, duplicateItem(String(id)));
      seen.add(id);
    }
  }

  private buildQuestion({
    exported,
    id,
    page,
    field,
  }: {
    exported: ExportedQuestion;
    id: number;
    page: { id: number };
    field: string;
  }): Question | null {
    const { question_type: type } = exported;
    const { logic, ...input } = exported.question_settings ?? {};
    const settings = withCompleteTable(type, parseQuestionSettings(type, input));
    const options = reconcileOptions({
      type,
      existing: [],
      input: exported.options,
      dataExist: false,
      highestCode: 0,
    });
    for (const result of [settings, options]) {
      if (result.ok) continue;
      for (const problem of result.problems) this.addProblem(`${field}.${problem.field}`, problem.message);
    }
    const requiredMessage = requiredProblem(type, exported.question_required);
    if (requiredMessage !== null) this.addProblem(`${field}.question_required`, requiredMessage);
    if (!settings.ok || !options.ok) return null;
    this.highestCodes.set(id, options.highestCode);
    this.fields.set(id, field);
    // The settings were parsed by the schema of this type.
    return {
      id,
      pageId: page.id,
      type,
      text: exported.question_text,
      code: exported.question_code ?? this.newCode(field),
      required: exported.question_required,
      settings: { ...settings.settings, logic: carryForwardOf(logic) },
      options: options.options,
      retired: false,
      ...(exported.translation_sources !== undefined && {
        translationSources: exported.translation_sources,
      }),
    } as Question;
  }

  /** Reads logic after everything else, because it can refer to later parts of the file. */
  private *readLogic(definition: SurveyDefinition, builtPages: readonly BuiltPage[]): Generator<void> {
    const names = namesOfSurvey(withCarriedOptions(definition));
    const resultOrNull = <L>(
      result: { ok: true; logic: L } | { ok: false; problems: ErrorDetail[] },
    ): L | null => {
      if (result.ok) return result.logic;
      this.problems.push(...result.problems);
      return null;
    };
    const byField = new Map(
      definition.pages
        .flatMap((page) => page.questions)
        .map((question) => [this.fields.get(question.id), question]),
    );
    for (const [index, exported] of this.document.survey.blocks.entries()) {
      const block = definition.blocks[index];
      const read = readBlockLogic(exported.block_logic, names, `survey.blocks[${index}].block_logic`);
      if (block !== undefined) block.logic = resultOrNull(read);
    }
    for (const [pageIndex, { exported, page }] of builtPages.entries()) {
      yield;
      const at = `survey.pages[${pageIndex}].page_logic`;
      page.logic = resultOrNull(readPageLogic(exported.page_logic, names, at));
      exported.questions.forEach(({ question_settings: settings }, index) => {
        const field = questionField(pageIndex, index);
        const question = byField.get(field);
        if (question === undefined) return;
        const logic = readQuestionLogic(settings?.logic, names, `${field}.question_settings.logic`);
        question.settings = { ...question.settings, logic: resultOrNull(logic) };
      });
    }
  }

  private checkOptionCount(definition: SurveyDefinition): void {
    const all = questionsOf(withCarriedOptions(definition));
    const count = all.reduce((sum, { options }) => sum + options.length, 0);
    if (count > MAX_OPTIONS_OF_SURVEY) {
      this.addProblem('survey.pages', sizeAtMost(MAX_OPTIONS_OF_SURVEY, 'option', count));
    }
  }

  private buildSettings(pageIds: ReadonlySet<number>): Record<string, unknown> {
    const settings = { ...withoutPreviousSurvey(mergeSettings({}, this.document.survey.settings ?? {})) };
    for (const { language, pageId } of pagesWithTranslations(settings)) {
      if (pageIds.has(pageId)) continue;
      const field = `survey.settings.translations.${language}.pages.${pageId}`;
      this.addProblem(field, unknownObject({ kind: 'page', idOrCode: pageId, scope: 'in this file' }));
    }
    return settings;
  }

  private buildQualitySettings(
    definition: SurveyDefinition,
    questionIds: ReadonlySet<number>,
  ): Record<string, unknown> {
    const { attention_checks: checks, ...others } = this.document.survey.quality_settings ?? {};
    const ids = new Map(questionsOf(definition).map(({ code, id }) => [code.toLowerCase(), id]));
    const known = checks?.map(({ question_code: code, question_id: id, ...check }, index) => {
      const found = code === undefined ? id : ids.get(code.toLowerCase());
      if (found === undefined) {
        const field = `survey.quality_settings.attention_checks[${index}].question_code`;
        this.addProblem(
          field,
          code === undefined
            ? requiredField()
            : unknownObject({ kind: 'question', idOrCode: code, scope: 'in this file' }),
        );
      }
      return { question_id: found ?? 0, ...check };
    });
    const changes = known === undefined ? others : { ...others, attention_checks: known };
    const settings = { ...changeQualitySettings({}, changes) };
    attentionCheckQuestions(settings).forEach((id, index) => {
      if (id === 0 || questionIds.has(id)) return;
      const field = `survey.quality_settings.attention_checks[${index}].question_id`;
      this.addProblem(field, unknownObject({ kind: 'question', idOrCode: id, scope: 'in this file' }));
    });
    return settings;
  }

  private checkSkips(pages: Page[], pageIds: ReadonlySet<number>, questionIds: ReadonlySet<number>): void {
    const check = (skips: Skip[] | undefined, field: string) =>
      skips?.forEach(({ action, target_id: target }, index) => {
        const knownIds =
          action === 'jump_to_page' ? pageIds : action === 'jump_to_question' ? questionIds : null;
        if (knownIds === null || target === undefined || knownIds.has(target)) return;
        const noun = action === 'jump_to_page' ? 'page' : 'question';
        this.addProblem(
          `${field}.skip[${index}].target_id`,
          unknownObject({ kind: noun, idOrCode: target, scope: 'in this file' }),
        );
      });
    pages.forEach((page, pageIndex) => {
      check(page.logic?.skip, `survey.pages[${pageIndex}].page_logic`);
      page.questions.forEach((question, index) => {
        check(question.settings.logic?.skip, `${questionField(pageIndex, index)}.question_settings.logic`);
      });
    });
  }
}

function questionField(pageIndex: number, index: number): string {
  return `survey.pages[${pageIndex}].questions[${index}]`;
}

/** Reads and validates a file, and yields between its pages. The ids in the result are local to the file; use `remapIds`. */
export function* importSurvey(input: unknown): Generator<void, ImportResult> {
  const parsed = surveyExportSchema.safeParse(unwrapDocument(input), { error: schemaWording });
  if (!parsed.success) return { ok: false, problems: schemaProblems(parsed.error).slice(0, MAX_PROBLEMS) };
  const importer = new SurveyImporter(parsed.data);
  yield;
  const survey = yield* importer.build();
  if (importer.problems.length > 0) return { ok: false, problems: importer.problems.slice(0, MAX_PROBLEMS) };
  return { ok: true, survey };
}

/** Replaces all ids in a definition, including skip targets. Every id must be in the maps. */
export function remapIds(
  definition: SurveyDefinition,
  pageIds: ReadonlyMap<number, number>,
  questionIds: ReadonlyMap<number, number>,
  blockIds: ReadonlyMap<number, number>,
): SurveyDefinition {
  const newBlockId = (id: number | null) => (id === null ? null : newId(blockIds, id));
  const skipTo = (skip: Skip): Skip => {
    if (skip.target_id === undefined) return skip;
    const ids = skip.action === 'jump_to_page' ? pageIds : questionIds;
    return { ...skip, target_id: newId(ids, skip.target_id) };
  };
  const withNewTargets = <L extends PageLogic>(logic: L | null): L | null =>
    logic?.skip === undefined ? logic : { ...logic, skip: logic.skip.map(skipTo) };
  return {
    ...definition,
    pages: definition.pages.map((page) => ({
      ...page,
      id: newId(pageIds, page.id),
      blockId: newBlockId(page.blockId),
      logic: withNewTargets(page.logic),
      questions: page.questions.map(
        (question) =>
          ({
            ...question,
            id: newId(questionIds, question.id),
            pageId: newId(pageIds, page.id),
            settings: { ...question.settings, logic: withNewTargets(question.settings.logic) },
          }) as Question,
      ),
    })),
    blocks: definition.blocks.map((block) => ({
      ...block,
      id: newId(blockIds, block.id),
      parentId: newBlockId(block.parentId),
    })),
  };
}

function newId(ids: ReadonlyMap<number, number>, id: number): number {
  const found = ids.get(id);
  if (found === undefined) throw new Error(`No new id for ${id}`);
  return found;
}
