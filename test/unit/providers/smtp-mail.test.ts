import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { afterEach, describe, expect, it } from 'vitest';
import { MailNotSent } from '../../../src/providers/mail/mail-sender.ts';
import { SmtpMail } from '../../../src/providers/mail/smtp-mail.ts';

const MAIL = {
  to: { name: 'Ana', address: 'ana@example.org' },
  subject: 'Hello',
  text: 'x',
  html: '<p>x</p>',
};

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** A server that records the commands it receives, and rejects one of them. */
async function server(refuseAt?: 'MAIL FROM' | 'RCPT TO' | 'DATA', responseCode = 550) {
  const commands: string[] = [];
  const answer = (at: string, done: (error?: Error) => void) => {
    commands.push(at);
    done(at === refuseAt ? Object.assign(new Error('No such luck'), { responseCode }) : undefined);
  };
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onMailFrom: (_address, _session, done) => answer('MAIL FROM', done),
    onRcptTo: (_address, _session, done) => answer('RCPT TO', done),
    onData(stream, _session, done) {
      stream.once('data', () => commands.push('begin'));
      stream.on('end', () => answer('DATA', done));
      stream.resume();
    },
  });
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve));
  ends.push(() => new Promise((resolve) => smtp.close(() => resolve(null))));
  const url = `smtp://127.0.0.1:${(smtp.server.address() as AddressInfo).port}`;
  const mail = new SmtpMail(url, 'Canvass <no-reply@canvass.example>');
  ends.push(() => mail.close());
  return { commands, mail };
}

const refusalOf = (sending: Promise<void>) =>
  sending.then(
    () => null,
    (error: unknown) => error as MailNotSent,
  );

describe('sending an email over SMTP', () => {
  it('waits before the final dot until the email is recorded as handed over', async () => {
    const { commands, mail } = await server();
    for (const round of [1, 2]) {
      commands.length = 0;
      await mail.send(MAIL, async () => {
        await expect.poll(() => commands, { timeout: 2_000 }).toContain('begin');
        commands.push(`written down ${round}`);
      });
      expect(commands).toEqual(['MAIL FROM', 'RCPT TO', 'begin', `written down ${round}`, 'DATA']);
    }
  });

  it('sends nothing if it cannot be recorded', async () => {
    const { commands, mail } = await server();
    const refusal = await refusalOf(mail.send(MAIL, () => Promise.reject(new Error('The database is away'))));
    expect(refusal).toBeInstanceOf(MailNotSent);
    await mail.send(MAIL);
    expect(commands.filter((at) => at === 'DATA')).toHaveLength(1);
  });

  it.each([
    ['RCPT TO', 550, 'address', false],
    ['RCPT TO', 450, 'temporary', false],
    ['MAIL FROM', 550, 'server', false],
    ['DATA', 554, 'mail', true],
    ['DATA', 451, 'temporary', true],
  ] as const)('reports the rejection of %s with %i as: %s', async (at, status, meaning, isHandedOver) => {
    const { mail } = await server(at, status);
    let handedOver = false;
    const refusal = await refusalOf(
      mail.send(MAIL, () => {
        handedOver = true;
        return Promise.resolve();
      }),
    );
    expect(refusal).toMatchObject({ refusal: meaning, isCertain: true });
    expect(refusal?.message).toContain(`${status} No such luck`);
    expect(handedOver).toBe(isHandedOver);
  });

  it('reports an unreachable server', async () => {
    const mail = new SmtpMail('smtp://127.0.0.1:1', 'no-reply@canvass.example');
    expect(await refusalOf(mail.send(MAIL))).toMatchObject({ refusal: 'server', isCertain: false });
  });
});
