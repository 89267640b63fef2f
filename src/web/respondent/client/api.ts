import type { Option, Page, Question, SurveyDefinition } from '../../../domain/survey/definition.ts';
import type { Arrangement, Block } from '../../../domain/survey/blocks.ts';
import { ApiError, callApi } from '../../shared/client/api.ts';
import type { Draft } from './draft.ts';
import type { LinkParameters } from './link-parameters.ts';

/** The fields of the API's RespondentSurvey that the page uses. */
interface ApiSurvey {
  survey_name: string;
  survey_description: string | null;
  survey_version: number;
  pages: {
    page_id: number;
    page_title: string | null;
    page_description: string | null;
    page_logic: unknown;
    block_id: number | null;
    shown_to_arm: string | null;
    page_arrangement: Arrangement | null;
    questions: {
      question_id: number;
      question_code: string;
      question_type: string;
      question_text: string;
      question_required: boolean;
      question_settings: object;
      options: {
        option_code: number;
        option_value: string;
        option_label: string;
        option_image: string | null;
        option_exclusive: boolean;
        option_other: boolean;
        option_anchor: boolean;
      }[];
    }[];
  }[];
  blocks: {
    block_id: number;
    block_code: string;
    parent_block_id: number | null;
    shown_to_arm: string | null;
    block_arrangement: Arrangement | null;
    arms: { arm_code: string; arm_label: string; share: number }[];
    arm_assignment: Block['assignment'];
    block_logic: Block['logic'];
  }[];
  survey_arrangement: Arrangement | null;
}

interface AssignedArms {
  /** By block_id. */
  arms?: Record<string, string>;
}

export interface ResponseOutcome {
  response_status: 'complete' | 'partial' | 'screened_out';
  status_reason: string | null;
  redirect_url: string | null;
}
/** `response_token` is null where the submission_id exists already and the draft's clientSecret is not the one that created it. */
export type StartReply = ResponseOutcome & AssignedArms & { response_token: string | null };
export type SaveReply = ResponseOutcome &
  AssignedArms & {
    ended: boolean;
    next_page_id: number | null;
    survey_closed: boolean;
  };
export interface ResumeReply extends ResponseOutcome, AssignedArms {
  submission_id: string | null;
  answers: Record<string, unknown>;
  next_page_id: number | null;
  survey_closed: boolean;
  language: string | null;
  hidden: Record<string, string>;
  /** `YYYY-MM-DD`. */
  started_at: string;
  survey: ApiSurvey;
}
export type MoveReply = ResumeReply & { response_token: string };
export interface UploadedFile {
  file_id: string;
  file_name: string;
  size_bytes: number;
}

const UPLOAD_TIMEOUT_MS = 10 * 60_000;
const MIN_RETRY_DELAY_MS = 1_000;
const MAX_RETRY_DELAY_MS = 30_000;

/** What the address of the page tells of its respondent. */
export type EntryParameters = Pick<LinkParameters, 'externalId' | 'signedAt' | 'signature' | 'hidden'>;

/** The operations of /api/public/s/:token that the page uses. */
export class RespondentApi {
  private readonly base: string;

  constructor(linkToken: string) {
    this.base = `/api/public/s/${linkToken}/responses`;
  }

  start(draft: Draft, link: EntryParameters, deviceId: string | null): Promise<StartReply> {
    const body = {
      submission_id: draft.submissionId,
      client_secret: draft.clientSecret,
      status: 'partial',
      answers: {},
      language: draft.language,
      ...(link.externalId === null ? {} : { external_id: link.externalId }),
      ...(link.signedAt === null ? {} : { signed_at: link.signedAt }),
      ...(link.signature === null ? {} : { signature: link.signature }),
      ...(Object.keys(link.hidden).length === 0 ? {} : { hidden: link.hidden }),
      ...(draft.consent ? { consent: true } : {}),
      ...(draft.opened === undefined ? {} : { opened: draft.opened }),
      ...(deviceId === null ? {} : { fingerprint: deviceId }),
    };
    return this.call('POST', '', { body });
  }

  save(
    token: string,
    answers: Record<string, unknown>,
    { pageId, pageSeconds = null }: { pageId: number | null; pageSeconds?: number | null },
  ): Promise<SaveReply> {
    return this.call('PATCH', `/${token}`, {
      body: {
        answers,
        ...(pageId === null ? {} : { page_id: pageId }),
        ...(pageId === null || pageSeconds === null ? {} : { page_seconds: pageSeconds }),
      },
    });
  }

  complete(token: string): Promise<ResponseOutcome> {
    return this.call('POST', `/${token}/complete`, { body: {} });
  }

  resume(token: string): Promise<ResumeReply> {
    return this.call('GET', `/${token}`);
  }

  /** Ends the token, and returns the response with a new one. */
  move(token: string, clientSecret: string, consent: boolean): Promise<MoveReply> {
    return this.call('POST', `/${token}/move`, { body: { client_secret: clientSecret, consent } });
  }

  files(token: string): Promise<UploadedFile[]> {
    return this.call('GET', `/${token}/files`);
  }

  removeFile(token: string, fileId: string): Promise<unknown> {
    return this.call('DELETE', `/${token}/files/${fileId}`);
  }

  upload(token: string, questionCode: string, file: File): Promise<UploadedFile> {
    const form = new FormData();
    form.append('question_code', questionCode);
    form.append('file', file, file.name);
    return this.call('POST', `/${token}/files`, { body: form, timeoutMs: UPLOAD_TIMEOUT_MS });
  }

  private async call<T>(
    method: string,
    path: string,
    options?: { body: object; timeoutMs?: number },
  ): Promise<T> {
    return (await callApi<T>(method, this.base + path, options)).data;
  }
}

/** Repeats a request until the server answers. `code`: the error code of a refusal. */
export async function requestUntilAnswered<T>(
  request: () => Promise<T>,
): Promise<{ reply: T } | { code: string }> {
  for (let delayMs = MIN_RETRY_DELAY_MS; ; delayMs = Math.min(delayMs * 2, MAX_RETRY_DELAY_MS)) {
    try {
      return { reply: await request() };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.kind === 'rejected') return { code: error.code };
      await new Promise((resolve) => setTimeout(resolve, delayMs));
    }
  }
}

/** Converts a survey of the API to a definition. An earlier response may use an older version than the shell. */
export function definitionFromApi(survey: ApiSurvey): SurveyDefinition {
  return {
    surveyId: 0,
    version: survey.survey_version,
    name: survey.survey_name,
    description: survey.survey_description,
    pages: survey.pages.map((page): Page => ({
      id: page.page_id,
      title: page.page_title,
      description: page.page_description,
      logic: page.page_logic as Page['logic'],
      blockId: page.block_id,
      arm: page.shown_to_arm,
      arrangement: page.page_arrangement,
      retired: false,
      questions: page.questions.map(
        (question) =>
          ({
            id: question.question_id,
            pageId: page.page_id,
            type: question.question_type,
            text: question.question_text,
            code: question.question_code,
            required: question.question_required,
            settings: question.question_settings,
            options: question.options.map(optionFromApi),
            retired: false,
            // The API guarantees that the settings match the type; the compiler cannot check that for JSON.
          }) as Question,
      ),
    })),
    blocks: survey.blocks.map((block): Block => ({
      id: block.block_id,
      code: block.block_code,
      title: null,
      parentId: block.parent_block_id,
      arm: block.shown_to_arm,
      arrangement: block.block_arrangement,
      arms: block.arms.map((arm) => ({
        code: arm.arm_code,
        label: arm.arm_label,
        share: arm.share,
        retired: false,
      })),
      assignment: block.arm_assignment,
      logic: block.block_logic,
      retired: false,
    })),
    arrangement: survey.survey_arrangement,
  };
}

function optionFromApi(
  option: ApiSurvey['pages'][number]['questions'][number]['options'][number],
  index: number,
): Option {
  return {
    code: option.option_code,
    value: option.option_value,
    label: option.option_label,
    order: index + 1,
    image: option.option_image,
    exclusive: option.option_exclusive,
    other: option.option_other,
    anchor: option.option_anchor,
    // Only statistics use these.
    missing: false,
    retired: false,
  };
}
