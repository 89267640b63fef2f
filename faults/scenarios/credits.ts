import { setTimeout as sleep } from 'node:timers/promises';
import { call, fillSurvey, publishSurvey } from '../../test/support/served-surveys.ts';
import { type FakeLanguageServer, startFakeLanguageServer } from '../../test/support/fake-language-server.ts';
import type { ApiProcess } from '../support/api-process.ts';
import type { Scenario } from '../support/scenario.ts';
import type { TestBed } from '../support/test-bed.ts';

const RACERS = 20;
/** Two digits make the answers distinct. */
const RESPONSES = 20;
const CALL_MS = 300;
/** A lease expires after a minute; processes check every half minute. */
const RELEASED_WITHIN_MS = 150_000;
const LONG_CALL_MS = 600_000;

/** Q01 and so on: as many works of the same size as there are racers, none of which is another's. */
const CODES = Array.from({ length: RACERS }, (_, index) => `Q${String(index + 1).padStart(2, '0')}`);

const SURVEY = {
  format: 'canvass.survey',
  version: 1,
  survey: {
    survey_name: 'Credits',
    pages: [
      {
        questions: CODES.map((code) => ({
          question_type: 'text',
          question_code: code,
          question_text: 'Why?',
        })),
      },
    ],
  },
};

/** P5: concurrent requests at two processes exceed the balance, and a process is killed while the provider works. */
export const credits: Scenario = {
  name: 'credits',
  promise: 'P5 A credit is spent once, never below zero, no provider call without a reservation',
  async run(testBed: TestBed) {
    const [rounds, kills] = testBed.isShort ? [1, 1] : [20, 4];
    const provider = await startFakeLanguageServer();
    testBed.atEnd(() => provider.close());
    const environment = {
      OPENAI_BASE_URL: provider.url,
      AI_STARTING_CREDITS: '100000',
      OPENAI_CONCURRENCY: '32',
    };
    const apis = await Promise.all([testBed.api(environment), testBed.api(environment)]);
    const ledger = await CreditLedger.on(testBed, apis, provider);
    for (let round = 1; round <= rounds; round += 1) await ledger.race(round);
    for (let count = 1; count <= kills; count += 1)
      await ledger.killedInCall(count, !testBed.isShort && count === 1);
    await ledger.balanced();
    return {
      done: `${RACERS} at once at 2 processes with credits for one, ${rounds} rounds; kill -9 of a process while the provider works, ${kills} times`,
      checked:
        'each round: one success, all others 402, one call to the provider; what a killed process had set aside comes back ' +
        `${testBed.isShort ? '' : '(once waited for, else its lease was made to run out) '}and the work can be done again; balances are never below zero and are the sums of the ledger`,
      breaks: ledger.breaks,
    };
  },
};

class CreditLedger {
  readonly breaks: string[] = [];
  private readonly testBed: TestBed;
  private readonly apis: readonly ApiProcess[];
  private readonly provider: FakeLanguageServer;
  private readonly surveyId: number;
  private readonly questionIds: readonly number[];
  private price = 0;

  private constructor(
    testBed: TestBed,
    apis: readonly ApiProcess[],
    provider: FakeLanguageServer,
    survey: { surveyId: number; questionIds: readonly number[] },
  ) {
    this.testBed = testBed;
    this.apis = apis;
    this.provider = provider;
    this.surveyId = survey.surveyId;
    this.questionIds = survey.questionIds;
  }

  static async on(
    testBed: TestBed,
    apis: readonly ApiProcess[],
    provider: FakeLanguageServer,
  ): Promise<CreditLedger> {
    const { surveyId } = await publishSurvey(testBed, apis[0]!, SURVEY);
    const { data } = (await call(testBed, apis[0]!, 'GET', `/api/surveys/${surveyId}`)) as {
      data: { pages: { questions: { question_id: number }[] }[] };
    };
    const questionIds = data.pages.flatMap((page) => page.questions.map((question) => question.question_id));
    const ledger = new CreditLedger(testBed, apis, provider, { surveyId, questionIds });
    await fillSurvey(testBed, surveyId, RESPONSES, `'{}'::jsonb`);
    // Measures the credits that one request reserves.
    await ledger.newTexts('a');
    await call(testBed, apis[0]!, 'POST', ledger.path, { question_id: questionIds[0] });
    const { rows } = await testBed.db.raw<{ rows: { credits: number }[] }>(
      'SELECT credits FROM credit_reservations',
    );
    ledger.price = rows[0]!.credits;
    return ledger;
  }

  async race(round: number): Promise<void> {
    const { provider, apis } = this;
    await this.newTexts(letterOf(round));
    await this.have(this.price);
    provider.reset();
    provider.reply({ delayMs: CALL_MS });
    const statuses = await Promise.all(
      this.questionIds.map((questionId, index) => this.ask(apis[index % 2]!, questionId)),
    );
    const paid = statuses.filter((status) => status === 200).length;
    const refused = statuses.filter((status) => status === 402).length;
    const { requests } = provider;
    if (paid !== 1 || refused !== RACERS - 1 || requests.length !== 1)
      this.breaks.push(
        `round ${round}: answered ${statuses.join(' ')}, ${requests.length} calls to the provider`,
      );
  }

  /** `waits`: until the lease has expired and the other process has noticed. */
  async killedInCall(count: number, waits: boolean): Promise<void> {
    const { provider, testBed: testBed, price } = this;
    const [victim, other] = this.apis as [ApiProcess, ApiProcess];
    await this.newTexts(letterOf(count).toUpperCase());
    await this.have(price);
    provider.reset();
    provider.reply({ delayMs: LONG_CALL_MS });
    let answered: number | null | undefined;
    const pending = this.ask(victim, this.questionIds[0]!).then((status) => (answered = status));
    while (provider.requests.length === 0 && answered === undefined) await sleep(10);
    if (answered !== undefined) {
      this.breaks.push(`kill ${count}: answered ${answered} before the provider was asked`);
      return;
    }
    await sleep(testBed.random() * 200);
    if ((await this.balance()) !== 0)
      this.breaks.push(`kill ${count}: the provider works, and nothing is set aside`);
    await victim.kill();
    await pending;
    provider.reply();
    if (!waits)
      await testBed.db.raw(
        `UPDATE credit_reservations SET lease_until = now() - interval '1 second' WHERE reservation_state = 'open'`,
      );
    else await this.released();
    await victim.restart();
    await this.released();
    if ((await this.balance()) !== price)
      this.breaks.push(`kill ${count}: of ${price} came back ${await this.balance()}`);
    const status = await this.ask(other, this.questionIds[0]!);
    if (status !== 200)
      this.breaks.push(`kill ${count}: the same work asked for again is answered ${status}`);
  }

  async balanced(): Promise<void> {
    const { rows } = await this.testBed.db.raw<{ rows: object[] }>(
      `SELECT a.balance, sum(l.credits)::int AS ledger, min(l.balance_after)::int AS least,
         (SELECT count(*) FROM credit_reservations WHERE reservation_state = 'open') AS open
       FROM credit_accounts a JOIN credit_ledger l USING (organization_id) GROUP BY a.organization_id, a.balance
       HAVING a.balance <> sum(l.credits) OR min(l.balance_after) < 0
         OR EXISTS (SELECT 1 FROM credit_reservations WHERE reservation_state = 'open')`,
    );
    if (rows.length > 0) this.breaks.push(`in the end: ${JSON.stringify(rows)}`);
  }

  private get path(): string {
    return `/api/responses/${this.surveyId}/ai/summarize`;
  }

  /** The status. */
  private async ask(api: ApiProcess, questionId: number): Promise<number | null> {
    try {
      const reply = await fetch(api.url + this.path, {
        method: 'POST',
        headers: { 'X-API-Key': this.testBed.apiKey, 'Content-Type': 'application/json' },
        body: JSON.stringify({ question_id: questionId }),
      });
      await reply.text();
      return reply.status;
    } catch {
      return null;
    }
  }

  /** New answers of the same length as before. */
  private async newTexts(letter: string): Promise<void> {
    const answers = CODES.map(
      (code) => `'${code}', 'It was good ${letter} ${code} ' || right(submission_id, 2)`,
    ).join(', ');
    await this.testBed.db.raw(
      `UPDATE responses SET answers = jsonb_build_object(${answers}), updated_at = now() WHERE survey_id = ?`,
      [this.surveyId],
    );
  }

  /** With its line of the ledger. */
  private async have(balance: number): Promise<void> {
    await this.testBed.db.raw(
      `WITH before AS (SELECT organization_id, balance FROM credit_accounts),
         made AS (UPDATE credit_accounts SET balance = ?)
       INSERT INTO credit_ledger (organization_id, entry_kind, credits, balance_after)
       SELECT organization_id, 'grant', ? - balance, ? FROM before`,
      [balance, balance, balance],
    );
  }

  private async balance(): Promise<number> {
    const { rows } = await this.testBed.db.raw<{ rows: { balance: number }[] }>(
      'SELECT balance FROM credit_accounts',
    );
    return rows[0]!.balance;
  }

  private async released(): Promise<void> {
    const deadline = Date.now() + RELEASED_WITHIN_MS;
    for (;;) {
      const { rows } = await this.testBed.db.raw<{ rows: { open: number }[] }>(
        `SELECT count(*) AS open FROM credit_reservations WHERE reservation_state = 'open'`,
      );
      if (rows[0]!.open === 0) return;
      if (Date.now() > deadline) {
        this.breaks.push(`a reservation is still open ${RELEASED_WITHIN_MS} ms after its process was killed`);
        return;
      }
      await sleep(100);
    }
  }
}

const letterOf = (number: number): string => String.fromCharCode('a'.charCodeAt(0) + (number % 25) + 1);
