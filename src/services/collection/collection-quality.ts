import { createHmac, hkdfSync } from 'node:crypto';
import type { StoredAnswers } from '../../domain/questions/answers/codec.ts';
import type { QualityFlag, ResponseQuality } from '../../domain/responses/quality-flag.ts';
import { createDuplicateFlag, findAttentionFlags } from '../../domain/quality/row-checks.ts';
import {
  addPageTime,
  type CompleteDurations,
  findSpeederFlag,
  visibleQuestionCodes,
} from '../../domain/quality/speeder.ts';
import { findBatteries, findStraightlinerFlags } from '../../domain/quality/straightlining.ts';
import type { SurveyDefinition } from '../../domain/survey/definition.ts';
import type { QualitySettings } from '../../domain/survey/quality-settings.ts';
import { addressNetwork } from '../../lib/address-network.ts';
import type { Clock } from '../../lib/clock.ts';
import { invalid } from '../../lib/errors.ts';
import type { Repositories } from '../../repositories/repositories.ts';
import type { NewResponse, OpenResponseRow } from '../../repositories/responses.ts';
import type { ResolvedLink } from './link-resolver.ts';
import { duplicateResponse, type DuplicateRule } from './response-writer.ts';

/**
 * Below this count the durations are read each time: reading is fast, and one more response can still move the
 * median.
 */
const MIN_CACHED_COUNT = 1_000;
const TTL_MS = 60_000;
const MAX_SURVEYS = 500;

/**
 * Caches the durations of a survey's complete responses, so that not every response reads up to a million of them.
 */
class CompleteDurationsCache {
  private readonly entries = new Map<number, { durations: CompleteDurations; readAtMs: number }>();

  async load(repositories: Repositories, surveyId: number): Promise<CompleteDurations> {
    const nowMs = performance.now();
    const known = this.entries.get(surveyId);
    if (known !== undefined && nowMs - known.readAtMs < TTL_MS) return known.durations;
    this.entries.delete(surveyId);
    const durations = await repositories.responseQuality.listCompleteDurations(surveyId);
    if (durations.count >= MIN_CACHED_COUNT) {
      this.entries.set(surveyId, { durations, readAtMs: nowMs });
      const [oldest] = this.entries.keys();
      if (oldest !== undefined && this.entries.size > MAX_SURVEYS) this.entries.delete(oldest);
    }
    return durations;
  }
}

/** The facts about the respondent that a request carries besides answers. */
export interface RespondentDetails {
  address: string;
  fingerprint: string | null;
  externalId: string | null;
  consent: boolean;
}

interface Admission {
  /** The respondent details stored with the response. */
  details: Pick<NewResponse, 'externalId'> & {
    addressHash: string | null;
    fingerprint: string | null;
    consentedAt: Date | null;
  };
  /** Rules that no other response of the survey may match. */
  duplicateRules: DuplicateRule[];
}

/** A response that has reached its end through its answers. */
export interface EndedResponse {
  definition: SurveyDefinition;
  answers: Readonly<StoredAnswers>;
  /** null: submitted in a single call. */
  durationSeconds: number | null;
  /** The response's id, or its details if it is not stored yet. */
  identity: { responseId: number } | Pick<Admission['details'], 'addressHash' | 'fingerprint'>;
}

interface QualityOutcome {
  /** The response is stored as screened_out with the reason `quality`. */
  screenedOut: boolean;
  /** null: no flags. */
  quality: ResponseQuality | null;
}

const PASSED: QualityOutcome = { screenedOut: false, quality: null };

/**
 * Applies a survey's quality settings while responses are collected. Rules that are not needed to reject, screen out
 * or flag a response immediately are left to the quality check over all responses, which uses the same rules in
 * domain/quality.
 */
export class CollectionQuality {
  private readonly addressHasher: AddressHasher;
  private readonly durations: CompleteDurationsCache;

  constructor(
    addressHashes: AddressHasher,
    private readonly clock: Clock,
  ) {
    this.addressHasher = addressHashes;
    this.durations = new CompleteDurationsCache();
  }

  /**
   * Decides whether the response may be stored, and which respondent details are stored with it. Throws 400 without
   * the consent that the survey requires.
   */
  admit(link: ResolvedLink, claim: RespondentDetails): Admission {
    const { anonymous } = link.settings;
    const consentedAt = this.requireConsent(link, claim.consent);
    const { duplicate } = link.qualitySettings;
    const isPanel = link.linkType === 'panel';
    // Stored even for anonymous surveys: the panel recognizes its members by this pseudonym when they return.
    const externalId = anonymous && !isPanel ? null : claim.externalId;
    // Authors may submit a preview any number of times.
    const checksDuplicates = duplicate.enabled && !anonymous && !link.isPreview;
    const addressHash =
      checksDuplicates && (duplicate.block_ip || duplicate.ip)
        ? this.addressHasher.hash(link.surveyId, claim.address)
        : null;
    const fingerprint = collectsFingerprint(link) ? claim.fingerprint : null;
    const unique: DuplicateRule[] = [];
    if (duplicate.block_ip && addressHash !== null) {
      unique.push({ duplicateKey: 'address_hash', value: addressHash, endedOnly: false });
    }
    if (isPanel && externalId !== null && duplicate.enabled && duplicate.external_id) {
      unique.push({ duplicateKey: 'external_id', value: externalId, endedOnly: true });
    }
    return { details: { externalId, addressHash, fingerprint, consentedAt }, duplicateRules: unique };
  }

  /** Returns the time of the consent; null: the survey asks for none. Throws 400 without the consent that it requires. */
  requireConsent({ settings: { consent_text: consentText } }: ResolvedLink, consent: boolean): Date | null {
    if (consentText === null || consentText.trim() === '') return null;
    if (!consent)
      throw invalid('consent', 'must be true: this survey asks for the consent of its respondents');
    return this.clock.now();
  }

  /**
   * Throws 409 if another response of the same panel member has ended meanwhile. Called in the transaction that ends
   * the response.
   */
  async refuseDuplicate(
    repositories: Repositories,
    link: ResolvedLink,
    response: Pick<OpenResponseRow, 'response_id' | 'external_id'>,
  ): Promise<void> {
    const { duplicate } = link.qualitySettings;
    const { external_id: value } = response;
    if (link.linkType !== 'panel' || value === null || !duplicate.enabled || !duplicate.external_id) return;
    const key = { surveyId: link.surveyId, duplicateKey: 'external_id', value } as const;
    await repositories.responseQuality.lockDuplicateKeys([key]);
    const criteria = { ended: true, exceptResponseId: response.response_id };
    if ((await repositories.responseQuality.countWithKey(key, criteria)) > 0) {
      throw duplicateResponse();
    }
  }

  /** Evaluates a response that would be complete. Costs next to nothing if no rule applies. */
  async evaluate(
    repositories: Repositories,
    link: ResolvedLink,
    ended: EndedResponse,
  ): Promise<QualityOutcome> {
    const settings = link.qualitySettings;
    const flags = findAttentionFlags(ended.answers, ended.definition, settings.attention_checks);
    if (settings.action === 'screen_out') {
      flags.push(...findStraightliningFlags(settings.straightliner, ended));
      const tooFast = await this.findSpeederFlag(repositories, settings.speeder, ended);
      if (tooFast !== null) flags.push(tooFast);
    }
    const screenedOut = settings.action === 'screen_out' && flags.length > 0;
    flags.push(
      ...(await findDuplicateFlags({
        repositories,
        surveyId: link.surveyId,
        settings: settings.duplicate,
        endedResponse: ended,
      })),
    );
    return flags.length === 0 ? PASSED : { screenedOut, quality: { flags } };
  }

  /** Adds the time spent on a page. All pages together have at most the time since the response started. */
  async recordPageTime({
    repositories,
    surveyId,
    responseId,
    page,
  }: {
    repositories: Repositories;
    surveyId: number;
    responseId: number;
    page: { pageId: number; claimedSeconds: number };
  }): Promise<void> {
    const before = await repositories.responseQuality.listPageTimes(surveyId, responseId);
    const spentSeconds = Object.values(before.page_times ?? {}).reduce((sum, seconds) => sum + seconds, 0);
    const leftSeconds = (this.clock.now().getTime() - before.started_at.getTime()) / 1000 - spentSeconds;
    const times = addPageTime({
      times: before.page_times,
      pageId: page.pageId,
      claimedSeconds: page.claimedSeconds,
      leftSeconds,
    });
    await repositories.responseQuality.savePageTimes(surveyId, responseId, times);
  }

  private async findSpeederFlag(
    repositories: Repositories,
    settings: QualitySettings['speeder'],
    { definition, answers, durationSeconds }: EndedResponse,
  ): Promise<QualityFlag | null> {
    if (!settings.enabled || durationSeconds === null) return null;
    const durations = await this.durations.load(repositories, definition.surveyId);
    const shownQuestions = visibleQuestionCodes(definition).filter((code) =>
      Object.hasOwn(answers, code),
    ).length;
    return findSpeederFlag(durationSeconds, settings, { durations, shownQuestions });
  }
}

/** Whether the survey checks for several responses from one device. */
export function collectsFingerprint({
  settings,
  qualitySettings: { duplicate },
  isPreview,
}: ResolvedLink): boolean {
  return duplicate.enabled && duplicate.fingerprint && !settings.anonymous && !isPreview;
}

function findStraightliningFlags(
  settings: QualitySettings['straightliner'],
  { definition, answers }: EndedResponse,
): QualityFlag[] {
  return settings.enabled
    ? findStraightlinerFlags(answers, findBatteries(definition, settings), settings)
    : [];
}

/** Only flags: several people may share an address or a device. */
async function findDuplicateFlags({
  repositories: { responseQuality },
  surveyId,
  settings,
  endedResponse: { identity },
}: {
  repositories: Repositories;
  surveyId: number;
  settings: QualitySettings['duplicate'];
  endedResponse: EndedResponse;
}): Promise<QualityFlag[]> {
  if (!settings.enabled || !(settings.ip || settings.fingerprint)) return [];
  const responseId = 'responseId' in identity ? identity.responseId : null;
  const { addressHash, fingerprint } =
    'responseId' in identity
      ? await responseQuality.listDuplicateKeys(surveyId, identity.responseId)
      : identity;
  const examined = [
    { metric: 'address', duplicateKey: 'address_hash', value: settings.ip ? addressHash : null },
    { metric: 'fingerprint', duplicateKey: 'fingerprint', value: settings.fingerprint ? fingerprint : null },
  ] as const;
  const flags: QualityFlag[] = [];
  for (const { metric, duplicateKey, value } of examined) {
    if (value === null) continue;
    const criteria = { ended: false, exceptResponseId: responseId };
    const flag = createDuplicateFlag(
      metric,
      await responseQuality.countWithKey({ surveyId, duplicateKey, value }, criteria),
    );
    if (flag !== null) flags.push(flag);
  }
  return flags;
}

const KEY_BYTES = 32;
const HASH_BYTES = 16;

/**
 * Hashes network addresses with a key per survey: equal within a survey, unlinkable between surveys, and useless to
 * anyone who has the database without the secret. After a change of the secret, earlier addresses no longer match.
 */
export class AddressHasher {
  constructor(private readonly secret: string) {}

  hash(surveyId: number, address: string): string {
    const key = hkdfSync('sha256', this.secret, '', `canvass address-hash survey:${surveyId}`, KEY_BYTES);
    const hash = createHmac('sha256', Buffer.from(key)).update(addressNetwork(address)).digest();
    return hash.subarray(0, HASH_BYTES).toString('base64url');
  }
}
