import type { SurveyDefinition } from '../../../domain/survey/definition.ts';
import { textsIn, translationFor, type Texts } from '../../../domain/survey/logic/localize.ts';
import { MAX_PAGE_SECONDS } from '../../../domain/quality/page-times.ts';
import { prepareDefinition, type PreparedDefinition } from '../../../domain/survey/prepared-definition.ts';
import { walk, type PageView, type Walk } from '../../../domain/survey/logic/walk.ts';
import type { RespondentSettings } from '../../../domain/survey/settings/respondent-settings.ts';
import type { PageState } from '../page-state.ts';
import type { Problem } from '../../shared/client/call-failed.ts';
import { Api, type Resumed } from './api.ts';
import { fetchBegun } from './fetch-begun.ts';
import { definitionOf } from './asked-survey.ts';
import { deviceMark } from './device-mark.ts';
import { continuedDraft } from './continued-draft.ts';
import { DraftStore, newDraft, type Draft, type Outcome } from './draft.ts';
import type { Visit } from './visit.ts';
import { Outbox } from './outbox.ts';
import { answersToSend, enteredAnswers } from './entered-answers.ts';
import { pageProblems } from './page-problems.ts';
import { problemOf } from './problem-words.ts';
import { problemsByCode } from './server-problems.ts';
import { fill, firstLanguage, languageOfText, type TextLanguage, type Words } from './words.ts';

export type Survey = Extract<PageState, { kind: 'survey' }>;
/** What happened last on the page, for what must happen once: where the focus goes. */
export type Moment = { kind: 'page' | 'problems'; count: number };

/** One respondent's way through the survey: what is entered, where they are, what is on its way to the server. */
export class Session {
  readonly survey: Survey;
  readonly settings: RespondentSettings;
  readonly outbox: Outbox;
  readonly languages: readonly string[];
  readonly api: Api;
  draft: Draft;
  readonly link: Visit;
  /** By question code. */
  problems = new Map<string, string>();
  /** Said in the live region. */
  announcement = '';
  moment: Moment = { kind: 'page', count: 0 };
  /** A reason or an error code, when the server takes nothing more. */
  shutCode: string | null;
  /** A response that a link names is being fetched. */
  resuming = false;
  /** Uploads that have not ended, by question code. */
  readonly uploads = new Map<string, number>();
  private prepared: PreparedDefinition;
  private readonly store: DraftStore;
  /** The browser lets us keep a draft. */
  keptHere = true;
  private writeTimer: ReturnType<typeof setTimeout> | null = null;
  private walked: Walk | null = null;
  private pageShownAtMs = performance.now();
  private readonly listeners = new Set<() => void>();

  constructor(survey: Survey, link: Visit) {
    this.survey = survey;
    this.settings = survey.settings;
    this.link = link;
    this.prepared = prepareDefinition(survey.definition);
    this.api = new Api(survey.linkToken);
    this.store = new DraftStore(
      `canvass:${survey.linkToken}${link.externalId === null ? '' : `:${link.externalId}`}`,
    );
    const { default_language: own, languages } = survey.settings;
    this.languages = [...new Set([own, ...languages])];
    this.draft = this.store.read() ?? this.emptyDraft();
    if (!this.languages.includes(this.draft.language)) this.draft.language = own;
    if (link.language !== null) this.draft.language = firstLanguage(this.languages, link.language);
    const begun = this.draft.responseToken !== null || link.resumeToken !== null;
    this.shutCode = begun ? null : survey.shutForNewcomers;
    this.outbox = new Outbox(this.api, this);
    addEventListener('pagehide', () => this.writeNow());
    this.store.onEndElsewhere((ended) => {
      if (ended.submissionId !== this.draft.submissionId) return;
      this.draft = ended;
      this.changed();
    });
    const { responseToken, surveyVersion, outcome } = this.draft;
    if (link.resumeToken !== null && link.resumeToken !== responseToken) void this.resume(link.resumeToken);
    else if (responseToken !== null && outcome === null && surveyVersion !== this.definition.version) {
      void this.resume(responseToken);
    } else if (this.outbox.hasUnsent) this.outbox.kick();
  }

  get definition(): SurveyDefinition {
    return this.prepared.definition;
  }

  get words(): Words {
    return this.survey.words[this.draft.language]!;
  }

  /** The survey's own texts in the respondent's language. */
  get texts(): Texts {
    return textsIn(translationFor(this.settings.translations, this.draft.language));
  }

  languageOf(isTranslated: boolean): TextLanguage {
    return languageOfText(isTranslated, this.draft.language, this.settings.default_language);
  }

  get walk(): Walk {
    // A draft without a page is on the first page of the walk.
    this.walked ??= this.walkUpTo(this.draft.pageId ?? this.walkUpTo(null).pages[0]?.page.id ?? null);
    return this.walked;
  }

  private walkUpTo(pageId: number | null): Walk {
    return walk(this.prepared, enteredAnswers(this.prepared, this.draft.inputs, pageId), {
      hidden: new Map(Object.entries(this.link.hidden)),
      respondent: this.survey.respondent,
      seed: this.draft.submissionId,
      language: this.draft.language,
      translations: this.settings.translations,
    });
  }

  get pageIndex(): number {
    const index = this.walk.pages.findIndex(({ page }) => page.id === this.draft.pageId);
    return Math.max(0, index);
  }

  get page(): PageView | null {
    return this.walk.pages[this.pageIndex] ?? null;
  }

  /** As a respondent is told: an answer that would screen them out does not say so before it is handed in. */
  get isLastPage(): boolean {
    const { pages, end } = this.walk;
    return this.pageIndex >= pages.length - 1 && end?.kind !== 'screened_out';
  }

  get needsConsent(): boolean {
    return this.settings.consent_text !== null && !this.draft.consent;
  }

  get deviceMark(): string | null {
    return this.survey.looksForDevice ? deviceMark(this.definition.surveyId) : null;
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  changed(): void {
    this.writeTimer ??= setTimeout(() => this.writeNow(), 120);
    for (const listener of this.listeners) listener();
  }

  enter(code: string, input: unknown): void {
    this.draft.inputs[code] = input;
    this.draft.edited = true;
    this.walked = null;
    // A complaint goes as soon as it no longer holds; a new one waits until the page is left.
    const view = this.page?.questions.find(({ question }) => question.code === code);
    if (this.problems.has(code) && view && problemOf(view.question, input, this.words) === null) {
      this.problems.delete(code);
    }
    this.changed();
  }

  speak(language: string): void {
    this.draft.language = language;
    this.walked = null;
    this.problems.clear();
    this.changed();
  }

  agree(): void {
    this.draft.consent = true;
    this.turned();
  }

  next(): void {
    const { page } = this;
    if (page !== null) {
      this.problems = pageProblems(page, this.draft.inputs, this.uploads, this.words);
      if (this.problems.size > 0) {
        this.complain();
        return;
      }
      const codes = page.questions.map(({ question }) => question.code);
      this.draft.edited = false;
      const earlier = this.draft.unsaved?.codes ?? [];
      this.draft.unsaved = {
        codes: [...new Set([...earlier, ...codes])],
        pageId: page.page.id,
        pageSeconds: Math.min((performance.now() - this.pageShownAtMs) / 1000, MAX_PAGE_SECONDS),
      };
    }
    const following = this.walk.pages[this.pageIndex + 1];
    if (page === null || following === undefined) this.draft.submitted = true;
    else this.draft.pageId = following.page.id;
    this.turned();
    this.writeNow();
    this.outbox.kick();
  }

  back(): void {
    const before = this.walk.pages[this.pageIndex - 1];
    if (before === undefined) return;
    this.draft.pageId = before.page.id;
    this.problems.clear();
    this.turned();
  }

  anew(): void {
    this.draft = this.emptyDraft();
    this.shutCode = this.survey.shutForNewcomers;
    this.walked = null;
    this.turned();
  }

  say(announcement: string): void {
    this.announcement = announcement;
    this.changed();
  }

  // What the outbox asks and says.

  answersOf(codes: readonly string[]): Record<string, unknown> {
    return answersToSend(this.prepared, this.draft.inputs, codes);
  }

  ended(outcome: Outcome): void {
    this.draft.outcome = outcome;
    // Nobody who comes to this device later should read what was entered.
    this.draft.inputs = {};
    this.draft.files = {};
    this.draft.unsaved = null;
    this.turned();
    this.writeNow();
  }

  refusedAnswers(problems: Problem[]): void {
    this.problems = problemsByCode(problems);
    const concerned = this.walk.pages.find(({ questions }) =>
      questions.some(({ question }) => this.problems.has(question.code)),
    );
    if (concerned) this.draft.pageId = concerned.page.id;
    this.complain();
  }

  shut(code: string): void {
    this.shutCode = code;
    this.turned();
  }

  private complain(): void {
    const n = this.problems.size;
    this.announcement = n === 1 ? this.words.problem_one : fill(this.words.problem_many, { n });
    this.moment = { kind: 'problems', count: this.moment.count + 1 };
    this.changed();
  }

  private turned(): void {
    this.announcement = '';
    this.pageShownAtMs = performance.now();
    this.walked = null;
    this.moment = { kind: 'page', count: this.moment.count + 1 };
    this.changed();
  }

  /** Goes on with a response as the server has it, in the version in which it was begun. */
  private async resume(token: string): Promise<void> {
    this.resuming = true;
    const found = await fetchBegun(this.api, token);
    if ('code' in found) this.shutCode = found.code === 'not_found' ? 'response_missing' : found.code;
    else {
      this.takeOver(token, found.response);
      for (const file of found.files) {
        this.draft.files[file.file_id] = { name: file.file_name, sizeBytes: file.size_bytes };
      }
    }
    this.resuming = false;
    this.turned();
    this.outbox.kick();
  }

  private takeOver(token: string, found: Resumed): void {
    this.prepared = prepareDefinition(definitionOf(found.survey));
    this.link.hidden = found.hidden;
    // What this device has and did not send yet is newer than what the server has.
    const ours = this.draft.responseToken === token ? this.draft : this.emptyDraft();
    this.draft = continuedDraft(ours, token, found, this.languages);
    this.walked = null;
    if (ours.pageId === null)
      this.draft.pageId = found.next_page_id ?? this.walk.pages.at(-1)?.page.id ?? null;
    if (found.response_status !== 'partial') {
      const { response_status: status, status_reason: reason } = found;
      this.ended({ status, reason, redirectUrl: null });
    }
  }

  private emptyDraft(): Draft {
    return newDraft(
      firstLanguage(this.languages, this.link.language),
      this.definition.version,
      this.survey.opened,
    );
  }

  private writeNow(): void {
    if (this.writeTimer !== null) clearTimeout(this.writeTimer);
    this.writeTimer = null;
    this.keptHere = this.store.write(this.draft);
  }
}
