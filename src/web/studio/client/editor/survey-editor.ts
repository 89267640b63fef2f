import { ApiError } from '../../../shared/client/api.ts';
import { readApi, type Schema } from '../data/api.ts';
import { CommandHistory } from './command-history.ts';
import { toEditorQuestion } from './editor-content.ts';
import { EditSaving } from './edit-saving.ts';
import { PublishFindings } from './publish-findings.ts';
import { SurveyContent } from './survey-content.ts';
import { SurveyStructure } from './survey-structure.ts';

type Survey = Schema<'SurveyWithPages'>;

/** A survey that is being edited: its content, and what changes it. */
export class SurveyEditor {
  readonly content = new SurveyContent();
  readonly history = new CommandHistory(() => this.content.notify('status'));
  readonly saving: EditSaving;
  readonly structure: SurveyStructure;
  readonly findings: PublishFindings;
  /** Whether deleted options are kept as retired. */
  private readonly mayHaveRetired: boolean;
  private readonly knownRetired = new Set<number>();

  constructor(
    readonly surveyId: number,
    survey: Survey,
  ) {
    this.saving = new EditSaving(surveyId, this.content, this.history);
    this.structure = new SurveyStructure(surveyId, this.content, this.saving, this.history);
    this.findings = new PublishFindings(surveyId, this.content);
    this.content.load(survey);
    void this.loadPrevious(survey);
    this.mayHaveRetired = survey.published_version !== null || survey.response_count > 0;
  }

  /** Reads the questions of the earlier survey. A survey without one and without waves has no earlier answers to offer. */
  private async loadPrevious({ survey_settings: settings }: Survey): Promise<void> {
    const path = { surveyId: this.surveyId };
    try {
      if (settings.previous_survey_id === null) {
        const waves = await readApi('/api/surveys/waves', { query: { survey_id: this.surveyId } });
        if (waves.data.length === 0) return;
      }
      const { data } = await readApi('/api/surveys/{surveyId}/previous-questions', { path });
      this.content.previousQuestions = data.map(toEditorQuestion);
      this.content.notify('outline');
    } catch (error) {
      // The editor works without them; what refers to them is shown by its code.
      if (!(error instanceof ApiError)) throw error;
    }
  }

  /** Takes over the survey as reloaded, unless edits or their reload are under way. */
  acceptReloaded(survey: Survey): void {
    if (this.saving.isSettled) this.content.load(survey);
  }

  /** Reverts the last change, or repeats the one that was undone last. Returns its name; null if there is none. Throws ApiError. */
  goThroughHistory(direction: 'undo' | 'redo'): Promise<string | null> {
    return this.structure.runAlone(async () => (await this.history[direction]())?.label ?? null);
  }

  /**
   * Reads the codes of the retired options of a question, so that its new options get others. Call it when the question is opened: the
   * survey has no retired options, and the list of its questions repeats the rest.
   */
  async loadRetiredCodes(questionId: number): Promise<void> {
    if (!this.mayHaveRetired || this.knownRetired.has(questionId)) return;
    this.knownRetired.add(questionId);
    try {
      const { data } = await readApi('/api/surveys/{surveyId}/questions/{questionId}', {
        path: { surveyId: this.surveyId, questionId: this.content.currentQuestionId(questionId) },
        query: { include_retired: true },
      });
      this.content.rememberCodes({ question_id: questionId, options: data.options });
    } catch (error) {
      // Without them, the API refuses a code that a retired option has, and the message is shown at the option.
      if (!(error instanceof ApiError)) throw error;
      this.knownRetired.delete(questionId);
    }
  }
}

const editors = new Map<number, SurveyEditor>();

/** The editor of a survey. One with edits that are not saved is kept when the page is left, so that it goes on saving. */
export function openEditor(survey: Survey): SurveyEditor {
  const existing = editors.get(survey.survey_id);
  if (existing?.saving.hasUnsaved === true) return existing;
  const editor = new SurveyEditor(survey.survey_id, survey);
  editors.set(survey.survey_id, editor);
  return editor;
}

addEventListener('online', () => {
  for (const editor of editors.values()) void editor.saving.flush();
});
addEventListener('beforeunload', (event) => {
  if ([...editors.values()].some(({ saving }) => saving.hasUnsaved)) event.preventDefault();
});
