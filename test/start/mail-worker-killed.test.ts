import { rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { SMTPServer } from 'smtp-server';
import { expect, test } from 'vitest';
import { newOrganization } from '../support/actors.ts';
import { appOn, TEST_SECRET } from '../support/app.ts';
import { builtProgramArgs } from '../support/built-program.ts';
import { useDatabase } from '../support/database.ts';
import { invite } from '../support/invitations.ts';
import { choice } from '../support/questions.ts';
import { type ServerProcess, startServer } from '../support/server-process.ts';
import { publishedSurvey } from '../support/surveys.ts';

/** `MAILS=1000 npx vitest run test/start/mail-worker-killed.test.ts` tries more of them. */
const MAILS = Number(process.env.MAILS ?? 60);

const database = useDatabase();

test(
  'sends every email exactly once when a process is killed midway',
  { timeout: 60_000 + MAILS * 100 },
  async () => {
    const received: string[] = [];
    /** Called at each step of each mail, before the server answers. */
    let onStep: (step: 'recipient' | 'mail') => void = () => undefined;
    const smtp = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onRcptTo(_address, _session, done) {
        onStep('recipient');
        done();
      },
      onData(stream, session, done) {
        stream.on('end', () => {
          received.push(session.envelope.rcptTo[0]!.address);
          onStep('mail');
          done();
        });
        stream.resume();
      },
    });
    // A killed process closes the connection without QUIT.
    smtp.on('error', () => undefined);
    await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve));

    const dataDir = path.join(os.tmpdir(), `canvass-killed-${process.pid}`);
    const settings = {
      SMTP_URL: `smtp://127.0.0.1:${(smtp.server.address() as AddressInfo).port}`,
      MAIL_FROM: 'Canvass <research@canvass.example>',
      PUBLIC_URL: 'https://research.example',
      MAIL_PER_SECOND: '1000',
      // One mail at a time: at each of the moments below it is known where it is.
      MAIL_CONNECTIONS: '1',
    };
    const app = appOn(database, settings);
    const organization = await newOrganization(app);
    const survey = await publishedSurvey(organization.admin, [[choice('Q1')]]);
    const respondents = Array.from({ length: MAILS }, (_, index) => ({ email: `p${index}@people.example` }));
    await invite(organization.admin, survey, respondents).expect(202);

    const worker = (): ServerProcess =>
      startServer(
        {
          ...settings,
          DATABASE_URL: database.url,
          DATA_DIR: dataDir,
          JWT_SECRET: TEST_SECRET,
          PORT: '0',
          SEED_DEMO: 'false',
          ADMIN_PASSWORD: 'a password of the test',
        },
        builtProgramArgs('main'),
      );
    /** Runs until so many mails are there, and is killed at that step of the next. */
    const runsUntil = async (count: number, step: 'recipient' | 'mail') => {
      const child = worker();
      onStep = (at) => {
        if (at === step && received.length >= count) child.process.kill('SIGKILL');
      };
      await child.ended();
      onStep = () => undefined;
      expect(child.process.signalCode, child.logged()).toBe('SIGKILL');
      // As if the half minute had passed in which a process that is only slow may still come back.
      await database.db.raw(
        `UPDATE jobs SET lease_until = now() - interval '1 second' WHERE lease_until IS NOT NULL`,
      );
    };
    try {
      await runsUntil(Math.floor(MAILS / 3), 'mail');
      await runsUntil(Math.floor((2 * MAILS) / 3), 'recipient');
      expect(received.length).toBeLessThan(MAILS);
      const last = worker();
      await expect
        .poll(
          async () =>
            (await database.db.raw(`SELECT status FROM jobs WHERE kind = 'campaign'`)).rows[0].status,
          { timeout: 30_000 + MAILS * 50, interval: 50 },
        )
        .toBe('done');
      last.process.kill('SIGTERM');
      expect(await last.ended()).toBe(0);
    } finally {
      await new Promise<void>((resolve) => smtp.close(() => resolve()));
      app.container.mail?.close();
      await rm(dataDir, { recursive: true, force: true });
    }

    expect([...received].sort()).toEqual(respondents.map(({ email }) => email).sort());
    const { rows } = await database.db.raw(
      `SELECT invitation_status, count(*)::integer FROM invitations GROUP BY 1`,
    );
    expect(rows).toEqual([{ invitation_status: 'sent', count: MAILS }]);
  },
);
