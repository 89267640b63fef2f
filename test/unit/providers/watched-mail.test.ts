import { expect, it } from 'vitest';
import { type Mail, MailNotSent, type Refusal } from '../../../src/providers/mail/mail-sender.ts';
import { WatchedMail } from '../../../src/providers/mail/watched-mail.ts';

const MAIL: Mail = {
  to: { name: '', address: 'a@people.example' },
  subject: 'S',
  text: 'T',
  html: '<p>T</p>',
};

it('reports each change once, counts outcomes, and ignores emails that are rejected by themselves', async () => {
  const plan: (Refusal | null)[] = [
    null,
    'address',
    'server',
    'server',
    'mail',
    'temporary',
    null,
    null,
    'server',
  ];
  const outcomes = plan.values();
  const changes: (string | null)[] = [];
  const send = () => {
    const refusal = outcomes.next().value ?? null;
    return refusal === null
      ? Promise.resolve()
      : Promise.reject(new MailNotSent(refusal, `no: ${refusal}`, true));
  };
  const mail = new WatchedMail({ send, close: () => undefined }, (problem) => changes.push(problem));
  for (const refusal of plan) {
    const sending = mail.send(MAIL);
    if (refusal === null) await sending;
    else await expect(sending).rejects.toMatchObject({ refusal });
  }
  const down = 'The mail server did not accept the email: no: server';
  expect(changes).toEqual([down, null, down]);
  expect(mail.problem).toBe(down);
  expect(mail.outcomes).toEqual({ accepted: 3, address: 1, mail: 1, temporary: 1, server: 3 });
});
