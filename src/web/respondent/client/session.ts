import type { StoredAnswers } from '../../../domain/questions/answers/codec.ts';
import type { SurveyDefinition } from '../../../domain/survey/definition.ts';
import { textsIn, translationFor, type TranslatedTexts } from '../../../domain/questions/localize.ts';
import { MAX_PAGE_SECONDS } from '../../../domain/quality/speeder.ts';
import type { PreparedDefinition } from '../../../domain/survey/prepared-definition.ts';
import {
  renderSurvey,
  type QuestionView,
  type RenderContext,
  type RenderedSurvey,
} from '../../../domain/survey/logic/render-survey.ts';
import type { RespondentSettings } from '../../../domain/survey/survey-settings.ts';
import type { PageState } from '../page-state.ts';
import type { FieldProblem } from '../../shared/client/api.ts';
import { answersForLogic, answersForServer, problemsByQuestion, validateQuestions } from './answers.ts';
import { requestUntilAnswered, RespondentApi, type ResumeReply } from './api.ts';
import { isUntouched, newDraft, randomId, type Draft, type Outcome } from './draft.ts';
import { DraftStore, getDeviceId } from './draft-store.ts';
import { isFramed } from './frame.ts';
import { loadParts, prepareDefinition } from './arranger.ts';
import { loadMarkdown, markdownReader } from './formatted.tsx';
import type { LinkParameters } from './link-parameters.ts';
import { loadMedia } from './media.tsx';
import { Outbox } from './outbox.ts';
import { PageHistory } from './page-history.ts';
import { type Screen, screensOf } from './screens.ts';
import {
  fillPlaceholders,
  initialLanguage,
  messagesOf,
  textLanguage,
  type TextLanguage,
  type Messages,
} from './localization.ts';

const DOUBLE_CLICK_MS = 500;

export type Survey = Extract<PageState, { kind: 'survey' }>;

export const hasWelcome = (settings: RespondentSettings): boolean =>
  [settings.welcome_title, settings.welcome_text, settings.welcome_image].some((each) => each !== null);

/** The last event on the page; `count` lets the page handle it once, to move the focus. */
export type PageEvent = { kind: 'page' | 'problems'; count: number };

/** Shows the page that the studio asks for. Without a connection the preview begins with the first page, until there is one again. */
function followAddress(session: Session): void {
  void import('./preview-place.ts').then(
    (module) => module.followAddress(session),
    () => addEventListener('online', () => followAddress(session), { once: true }),
  );
}

/** State of one respondent in the survey: the answers, the current page, and unsent data. */
export class Session {
  readonly settings: RespondentSettings;
  readonly outbox: Outbox;
  readonly languages: readonly string[];
  readonly api: RespondentApi;
  draft: Draft;
  /** Messages by question code. */
  problems = new Map<string, string>();
  /** Text of the live region of the question that is edited. */
  announcement = '';
  lastEvent: PageEvent = { kind: 'page', count: 0 };
  /** A reason of the shell or an error code, if the survey cannot be answered. */
  unavailableCode: string | null;
  /** Whether the survey has closed; a started response can still be finished for a time. */
  isClosed: boolean;
  /** Whether a response is being fetched to continue it. */
  isResuming = false;
  /** A response of another browser, which the link of this page continues if the respondent agrees. */
  offer: ResumeOffer | null = null;
  /** Number of unfinished uploads by question code. */
  readonly uploads = new Map<string, number>();
  readonly controlProblems = new Map<string, () => string | null>();
  prepared: PreparedDefinition;
  private readonly store: DraftStore;
  /** Whether the response had ended before the page was opened. */
  isReturning: boolean;
  /** Whether the browser stores the draft. */
  isDraftStored = true;
  private writeTimer: ReturnType<typeof setTimeout> | null = null;
  private cachedRendering: RenderedSurvey | null = null;
  private pageShownAtMs = performance.now();
  /** Whether a page has just replaced another, so that a second click or tap was meant for the other one. */
  isPageNew = false;
  /** Whether the preview shows the page of the author, which is behind the page that asks for consent. */
  private isConsentSkipped = false;
  private pageNewTimer: ReturnType<typeof setTimeout> | undefined;
  private readonly listeners = new Set<() => void>();
  /** null where respondents may not go back, and where a preview is a part of the studio. */
  private readonly pageHistory: PageHistory | null;

  constructor(
    readonly survey: Survey,
    readonly link: LinkParameters,
  ) {
    this.settings = survey.settings;
    this.prepared = prepareDefinition(survey.definition);
    this.api = new RespondentApi(survey.linkToken);
    this.store = new DraftStore(
      `canvass:${survey.linkToken}${link.externalId === null ? '' : `:${link.externalId}`}`,
    );
    const { default_language: defaultLanguage, languages } = survey.settings;
    this.languages = [...new Set([defaultLanguage, ...languages])];
    this.draft = this.openDraft();
    this.isReturning = this.draft.outcome !== null;
    if (!this.languages.includes(this.draft.language)) this.draft.language = defaultLanguage;
    if (link.language !== null) this.draft.language = initialLanguage(this.languages, link.language);
    const { newResponsesBlockedBy: blockedBy } = survey;
    const isStarted = this.draft.responseToken !== null || link.resumeToken !== null;
    // The page of a used signature is shown again to the respondent who used it.
    const hasAnswered = this.draft.outcome !== null && blockedBy === 'signature_used';
    this.unavailableCode = isStarted || hasAnswered ? null : blockedBy;
    this.isClosed = survey.newResponsesBlockedBy === 'closed';
    this.outbox = new Outbox(this.api, this);
    // Another tab that is opened now takes over the identity, so that both are one response.
    this.writeNow();
    addEventListener('pagehide', () => this.writeNow());
    this.store.onFinishedInAnotherTab((ended) => {
      if (ended.submissionId === this.draft.submissionId) this.draft = ended;
      // Two tabs that are opened at the same moment can have different identities.
      else this.joinOtherTab();
      this.notifyChanged();
    });
    if (survey.preview) followAddress(this);
    const isPartOfStudio = survey.preview && isFramed;
    this.pageHistory = this.settings.allow_back && !isPartOfStudio ? new PageHistory(this) : null;
    const { responseToken, surveyVersion, outcome } = this.draft;
    if (link.resumeToken !== null && link.resumeToken !== responseToken)
      void this.offerToResume(link.resumeToken);
    else if (responseToken !== null && outcome === null && surveyVersion !== this.definition.version) {
      void this.resume(responseToken);
    } else if (this.outbox.hasUnsent) this.outbox.sendNow();
    // The server counts the second use of a signature when a response starts, so this tries to start one.
    if (this.unavailableCode === 'signature_used') void this.outbox.ensureStarted();
    if (this.isAnswering) this.pageHistory?.start();
    this.awaitArm();
  }

  get definition(): SurveyDefinition {
    return this.prepared.definition;
  }

  get messages(): Messages {
    return messagesOf(this.survey, this.draft.language);
  }

  /** Texts of the survey in the respondent's language. */
  get texts(): TranslatedTexts {
    return textsIn(translationFor(this.settings.translations, this.draft.language));
  }

  languageOf(isTranslated: boolean): TextLanguage {
    return textLanguage(isTranslated, this.draft.language, this.settings.default_language);
  }

  get rendered(): RenderedSurvey {
    // A draft without a page is on the first page.
    this.cachedRendering ??= this.renderUpTo(
      this.draft.pageId ?? this.renderUpTo(null).pages[0]?.page.id ?? null,
    );
    return this.cachedRendering;
  }

  private renderUpTo(pageId: number | null): RenderedSurvey {
    const { prepared, draft } = this;
    const context: RenderContext = {
      hidden: new Map(Object.entries(this.link.hidden)),
      respondent: this.survey.respondent,
      previous: draft.previous ?? {},
      seed: draft.submissionId,
      arms: draft.arms ?? {},
      awaitsArms: !this.survey.preview,
      language: draft.language,
      translations: this.settings.translations,
      readMarkdown: markdownReader(),
    };
    const { positions } = prepared.arrange?.(context) ?? prepared;
    return renderSurvey(prepared, answersForLogic(prepared, draft.inputs, { positions, pageId }), context);
  }

  /** All screens that the respondent sees, by the answers so far. */
  get screens(): readonly Screen[] {
    return screensOf(this.rendered.pages, this.settings.layout);
  }

  get screenIndex(): number {
    const { screens, draft } = this;
    const isShownPage = ({ page }: Screen) => page.page.id === draft.pageId;
    const index = screens.findIndex(
      (screen) => isShownPage(screen) && screen.questionId === draft.questionId,
    );
    return Math.max(0, index < 0 ? screens.findIndex(isShownPage) : index);
  }

  get screen(): Screen | null {
    return this.screens[this.screenIndex] ?? null;
  }

  /** Which screen is shown, such as "Page 2 of 6". */
  get screenText(): string {
    const { messages, screens, screenIndex, settings } = this;
    const m = Math.max(1, screens.length);
    const text = settings.layout === 'pages' ? messages.page_of : messages.question_of;
    return fillPlaceholders(text, { n: Math.min(screenIndex + 1, m), m });
  }

  /** The share of the screens that are done, from 0 to 1. */
  get progress(): number {
    return this.draft.progress ?? this.screenIndex / Math.max(1, this.screens.length);
  }

  /** Whether the screen shows "Submit". It shows "Next" if the answers would screen the respondent out, which must not be visible. */
  get isLastScreen(): boolean {
    const { end, awaitsArm } = this.rendered;
    return this.screenIndex >= this.screens.length - 1 && end?.kind !== 'screened_out' && !awaitsArm;
  }

  /** Whether the page that follows is unknown until the server assigns an arm. */
  get isAwaitingPage(): boolean {
    const { draft, rendered, screens, screenIndex } = this;
    // The survey can wait for a later block, too.
    const isNextUnknown = draft.awaiting === true && screens[screenIndex + 1] === undefined;
    return this.isAnswering && rendered.awaitsArm && (isNextUnknown || rendered.pages.length === 0);
  }

  /** Asks the server for the arm on which the next page depends. */
  private awaitArm(): void {
    if (!this.isAwaitingPage || this.outbox.hasUnsent) return;
    const { responseToken } = this.draft;
    if (responseToken === null) void this.outbox.ensureStarted();
    else void this.resume(responseToken);
  }

  /** Whether the survey has a welcome page. */
  get hasWelcome(): boolean {
    return hasWelcome(this.settings);
  }

  get isWelcoming(): boolean {
    const { welcomed = false, consent, pageId, responseToken } = this.draft;
    return this.hasWelcome && !welcomed && !consent && pageId === null && responseToken === null;
  }

  get needsConsent(): boolean {
    return this.settings.consent_text !== null && !this.draft.consent && !this.isConsentSkipped;
  }

  get deviceId(): string | null {
    return this.survey.usesDeviceId ? getDeviceId(this.definition.surveyId) : null;
  }

  /** How many questions have problems, as a sentence; empty if none has. */
  get problemSummary(): string {
    const n = this.problems.size;
    if (n === 0) return '';
    return n === 1 ? this.messages.problem_one : fillPlaceholders(this.messages.problem_many, { n });
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  notifyChanged(): void {
    this.writeTimer ??= setTimeout(() => this.writeNow(), 120);
    for (const listener of this.listeners) listener();
  }

  setInput(code: string, input: unknown): void {
    this.draft.inputs[code] = input;
    this.draft.edited = true;
    this.cachedRendering = null;
    this.recheck(code);
    this.notifyChanged();
  }

  /** Removes the problem of a question as soon as it is fixed. New problems are shown when the page is submitted. */
  recheck(code: string): void {
    const view = this.screen?.questions.find(({ question }) => question.code === code);
    if (!this.problems.has(code) || view === undefined || this.findProblems([view]).has(code)) return;
    this.problems.delete(code);
    this.notifyChanged();
  }

  private findProblems(questions: readonly QuestionView[]): Map<string, string> {
    const { prepared, uploads, controlProblems } = this;
    const { inputs } = this.draft;
    return validateQuestions(questions, { prepared, inputs, uploads, controlProblems }, this.messages);
  }

  setLanguage(language: string): void {
    this.draft.language = language;
    this.cachedRendering = null;
    this.problems.clear();
    this.notifyChanged();
  }

  leaveWelcome(): void {
    this.draft.welcomed = true;
    this.startPages();
  }

  giveConsent(): void {
    this.draft.consent = true;
    this.startPages();
  }

  private startPages(): void {
    if (this.isAnswering) this.pageHistory?.start();
    this.replacePage();
    this.awaitArm();
  }

  next(): void {
    if (this.isPageNew) return;
    this.submitScreen();
    const isShown = this.lastEvent.kind === 'page' && this.isAnswering && this.draft.pageId !== null;
    if (isShown && this.screen !== null) this.pageHistory?.push(this.screen.key);
  }

  // Methods of HistoryOwner.

  get visitedScreens(): string[] {
    return this.screens.slice(0, this.screenIndex + 1).map(({ key }) => key);
  }

  get isAnswering(): boolean {
    const { outcome, submitted } = this.draft;
    const isAsking = this.offer === null && !this.isResuming && !this.isWelcoming && !this.needsConsent;
    return isAsking && this.unavailableCode === null && outcome === null && !submitted;
  }

  showScreen(key: string): void {
    const shown = this.screens.find((screen) => screen.key === key);
    if (shown === undefined) return;
    const { progress } = this;
    const continuesPage = shown.page.page.id === this.screen?.page.page.id;
    this.goTo(shown);
    this.draft.progress = Math.min(progress, this.screenIndex / this.screens.length);
    this.problems.clear();
    this.replacePage(continuesPage);
  }

  submitScreen(): void {
    const { screen, screens, screenIndex, draft } = this;
    const isPageEnd = screens[screenIndex + 1]?.page !== screen?.page;
    if (screen !== null) {
      this.problems = this.findProblems(screen.questions);
      if (this.problems.size > 0) {
        this.announceProblems();
        return;
      }
      const codes = screen.questions.map(({ question }) => question.code);
      draft.edited = false;
      const { unsaved } = draft;
      draft.unsaved = {
        codes: [...new Set([...(unsaved?.codes ?? []), ...codes])],
        // A page is submitted with its last question. Until then, what is unsent of the page before stays.
        pageId: isPageEnd ? screen.page.page.id : (unsaved?.pageId ?? null),
        pageSeconds: isPageEnd
          ? Math.min((performance.now() - this.pageShownAtMs) / 1000, MAX_PAGE_SECONDS)
          : this.outbox.state === 'sending'
            ? null
            : (unsaved?.pageSeconds ?? null),
      };
    }
    this.goOn();
    this.replacePage(!isPageEnd);
    this.writeNow();
    this.outbox.sendNow();
  }

  /** Goes to the screen that follows; after the last one, the response is submitted. */
  private goOn(): void {
    const { screens, screenIndex, progress, draft } = this;
    const { awaitsArm, pages } = this.rendered;
    const next = screens[screenIndex + 1];
    // Before the server has assigned an arm, the screens after it are unknown; there are at most about as many as other pages.
    const unknown = awaitsArm ? Math.max(1, this.prepared.pages.length - pages.length) : 0;
    // The rest is divided among the screens that are left, so that the progress never goes back when logic adds questions.
    draft.progress = progress + (1 - progress) / Math.max(1, screens.length - screenIndex + unknown);
    draft.awaiting = next === undefined && awaitsArm;
    if (next !== undefined) this.goTo(next);
    else if (!awaitsArm) draft.submitted = true;
  }

  private goTo({ page, questionId }: Screen): void {
    this.draft.pageId = page.page.id;
    this.draft.questionId = questionId;
    this.cachedRendering = null;
  }

  /** Shows a page, or one of its questions, wherever the respondent was. */
  private jumpTo(pageId: number | null, questionId: number | null): void {
    Object.assign(this.draft, { pageId, questionId, progress: undefined });
    this.cachedRendering = null;
  }

  back(): void {
    const previous = this.screens[this.screenIndex - 1];
    if (previous === undefined || this.isPageNew) return;
    if (this.pageHistory?.back() !== true) this.showScreen(previous.key);
  }

  startOver(): void {
    this.draft = this.emptyDraft();
    // A new response of this device, instead of the stored one.
    this.storeDraft();
    this.isReturning = false;
    this.unavailableCode = this.newResponsesBlockedBy;
    this.cachedRendering = null;
    if (this.isAnswering) this.pageHistory?.start();
    this.pageChanged();
  }

  announce(announcement: string): void {
    this.announcement = announcement;
    this.notifyChanged();
  }

  private get newResponsesBlockedBy(): string | null {
    return this.survey.newResponsesBlockedBy ?? (this.isClosed ? 'closed' : null);
  }

  // Methods of OutboxOwner.

  setArms(arms: Readonly<Record<string, string>>): void {
    const isAwaiting = this.isAwaitingPage;
    this.draft.arms = arms;
    this.cachedRendering = null;
    if (!isAwaiting || this.isAwaitingPage) return;
    if (this.draft.awaiting === true) this.goOn();
    this.replacePage();
  }

  setClosed(isClosed: boolean): void {
    this.isClosed = isClosed;
  }

  answersForServer(codes: readonly string[]): Record<string, unknown> {
    return answersForServer(this.prepared, this.draft.inputs, codes);
  }

  applyOutcome(outcome: Outcome): void {
    this.draft.outcome = outcome;
    // Deletes the answers and the credentials, so that later users of this device have no access to them.
    this.draft.responseToken = null;
    this.draft.clientSecret = randomId();
    this.draft.inputs = {};
    this.draft.previous = {};
    this.draft.files = {};
    this.draft.unsaved = null;
    this.pageHistory?.finish();
    this.pageChanged();
    this.writeNow();
  }

  showServerProblems(problems: readonly FieldProblem[]): void {
    this.problems = problemsByQuestion(problems);
    const firstProblem = this.screens.find(({ questions }) =>
      questions.some(({ question }) => this.problems.has(question.code)),
    );
    if (firstProblem) this.jumpTo(firstProblem.page.page.id, firstProblem.questionId);
    this.announceProblems();
  }

  handleRejection(code: string): void {
    const { responseToken } = this.draft;
    // Another tab or device has ended the response.
    if (code === 'response_ended' && responseToken !== null) void this.resume(responseToken);
    else {
      this.unavailableCode = responseToken === null ? code : codeOfMissing(code);
      this.pageChanged();
    }
  }

  private announceProblems(): void {
    this.lastEvent = { kind: 'problems', count: this.lastEvent.count + 1 };
    this.notifyChanged();
  }

  /** Shows a page of the preview, or a question also behind the page that asks for consent. The focus stays where the author types. */
  showInPreview(pageId: number, questionId: number | null): void {
    this.isConsentSkipped ||= questionId !== null;
    this.jumpTo(pageId, questionId);
    this.draft.submitted = false;
    this.notifyChanged();
  }

  /** Begins a preview again, as the respondent whose seed this is and who has answered so before. */
  beginPreview(submissionId: string, previous: StoredAnswers): void {
    this.link.samples = previous;
    this.draft = { ...this.emptyDraft(), submissionId, previous };
    this.storeDraft();
    this.cachedRendering = null;
  }

  /** Shows another page where the buttons of this one were. Systems take two clicks within this time for a double click. */
  private replacePage(continuesPage = false): void {
    this.isPageNew = true;
    clearTimeout(this.pageNewTimer);
    this.pageNewTimer = setTimeout(() => {
      this.isPageNew = false;
      this.notifyChanged();
    }, DOUBLE_CLICK_MS);
    this.pageChanged(continuesPage);
  }

  /** `continuesPage`: another question of the page is shown, whose time goes on. */
  private pageChanged(continuesPage = false): void {
    this.announcement = '';
    if (!continuesPage) this.pageShownAtMs = performance.now();
    this.cachedRendering = null;
    this.lastEvent = { kind: 'page', count: this.lastEvent.count + 1 };
    this.notifyChanged();
  }

  /** Continues the response of this browser, in the survey version in which it started. */
  private resume(token: string): Promise<void> {
    return this.fetching(
      () => this.api.resume(token),
      // Unsent input of this device is newer than the answers of the server.
      (reply) => this.continueResponse(this.draft, token, reply),
    );
  }

  /** Asks whether to continue a response that this browser does not have. Someone else may have started it and sent the link. */
  private offerToResume(token: string): Promise<void> {
    return this.fetching(
      () => this.api.resume(token),
      (reply) => {
        if (reply.response_status === 'partial') this.offer = { token, begunOn: reply.started_at };
        else this.unavailableCode = 'response_ended';
      },
    );
  }

  /** Continues the offered response with a new token, so that the link no longer reads what follows. */
  acceptOffer(consent: boolean): void {
    const { offer } = this;
    if (offer === null) return;
    this.offer = null;
    const draft = this.emptyDraft();
    void this.fetching(
      () => this.api.move(offer.token, draft.clientSecret, consent),
      (reply) => this.continueResponse(draft, reply.response_token, reply),
    );
  }

  /** Answers as the respondent of this browser. */
  declineOffer(): void {
    this.offer = null;
    this.link.resumeToken = null;
    this.unavailableCode = this.draft.responseToken === null ? this.newResponsesBlockedBy : null;
    this.pageChanged();
  }

  private async fetching<T>(
    request: () => Promise<T>,
    apply: (reply: T) => void | Promise<void>,
  ): Promise<void> {
    this.isResuming = true;
    const result = await requestUntilAnswered(request);
    if ('code' in result) this.unavailableCode = codeOfMissing(result.code);
    else await apply(result.reply);
    this.isResuming = false;
    if (this.isAnswering) this.pageHistory?.start();
    this.pageChanged();
    this.outbox.sendNow();
  }

  private async continueResponse(localDraft: Draft, token: string, reply: ResumeReply): Promise<void> {
    const listed =
      reply.response_status === 'partial'
        ? await requestUntilAnswered(() => this.api.files(token))
        : { reply: [] };
    const { definitionFromApi } = await import('./api-survey.ts');
    const definition = definitionFromApi(reply.survey);
    // An older version of the survey may have what the page has not loaded.
    await Promise.all([loadParts(definition), loadMedia(definition), loadMarkdown()]);
    this.prepared = prepareDefinition(definition);
    this.link.hidden = reply.hidden;
    this.isClosed = reply.survey_closed;
    this.draft = resumeDraft(localDraft, { responseToken: token, reply, languages: this.languages });
    this.cachedRendering = null;
    if (localDraft.pageId === null || localDraft.awaiting === true) this.continueAt(reply);
    for (const file of 'reply' in listed ? listed.reply : [])
      this.draft.files[file.file_id] = { name: file.file_name, sizeBytes: file.size_bytes };
    this.storeDraft();
    if (reply.response_status !== 'partial') {
      const { response_status: status, status_reason: reason } = reply;
      this.applyOutcome({ status, reason, redirectUrl: null });
    }
  }

  private emptyDraft(): Draft {
    return newDraft(
      initialLanguage(this.languages, this.link.language),
      this.definition.version,
      this.survey,
    );
  }

  /** Shows the first question of the next page that has no answer yet. */
  private continueAt({ next_page_id: nextPageId, answers }: ResumeReply): void {
    const { pages } = this.rendered;
    const page = pages.find(({ page: { id } }) => id === nextPageId) ?? pages.at(-1);
    const open = page?.questions.find(({ question }) => !Object.hasOwn(answers, question.code));
    this.jumpTo(page?.page.id ?? null, open?.question.id ?? null);
  }

  /** Returns the stored draft. One without answers only has the identity; the opening time and the version are those of this page. */
  private openDraft(): Draft {
    const stored = this.store.read();
    // The time proves that this page was opened with its signature.
    if (stored !== null && stored.responseToken === null && this.link.signature !== null)
      stored.opened = this.survey.opened;
    if (stored === null || !isUntouched(stored)) return stored ?? this.emptyDraft();
    const { submissionId, clientSecret } = stored;
    return { ...this.emptyDraft(), submissionId, clientSecret };
  }

  /** Takes over the response that another tab of this device has begun meanwhile: each device can answer once. */
  joinOtherTab(): void {
    const before = this.draft.submissionId;
    this.draft = this.store.joinOtherTab(this.draft);
    if (this.draft.submissionId === before) return;
    this.isReturning = this.draft.outcome !== null;
    // The seed of random orders is that of the response.
    this.cachedRendering = null;
    this.notifyChanged();
  }

  private writeNow(): void {
    if (this.writeTimer !== null) clearTimeout(this.writeTimer);
    this.writeTimer = null;
    this.joinOtherTab();
    this.storeDraft();
  }

  storeDraft(): void {
    this.isDraftStored = this.store.write(this.draft);
  }
}

/** A response that the respondent can continue here. `begunOn`: `YYYY-MM-DD`. */
interface ResumeOffer {
  token: string;
  begunOn: string;
}

/** Without the response, the link may be incomplete, too old, or used on another device. */
const codeOfMissing = (code: string): string =>
  code === 'not_found' || code === 'response_expired' ? 'response_missing' : code;

/** Returns a draft that continues the server's response. Unsent input of this device is newer and takes precedence. */
function resumeDraft(
  localDraft: Draft,
  {
    responseToken,
    reply,
    languages,
  }: { responseToken: string; reply: ResumeReply; languages: readonly string[] },
): Draft {
  const { language } = reply;
  return {
    ...localDraft,
    submissionId: reply.submission_id ?? localDraft.submissionId,
    responseToken,
    surveyVersion: reply.survey.survey_version,
    inputs: { ...reply.answers, ...localDraft.inputs },
    arms: reply.arms ?? {},
    previous: reply.previous_answers,
    awaiting: false,
    language: language !== null && languages.includes(language) ? language : localDraft.language,
    consent: true,
  };
}
