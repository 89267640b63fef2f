import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anonymous, newOrganization, useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { type MailServer, startMailServer } from '../../support/mail-server.ts';
import { choice } from '../../support/questions.ts';
import { draftSurvey } from '../../support/surveys.ts';

let mailServer: MailServer;
beforeAll(async () => {
  mailServer = await startMailServer();
});
afterAll(() => mailServer.close());
const test = useApp(() => ({
  SMTP_URL: mailServer.url,
  MAIL_FROM: 'survey@canvass.example',
  RATE_LIMIT_AUTH: '5',
}));
const home = useOrganization(test);
const { admin } = home;

const preview = async (body: object, by = admin) => {
  const { surveyId } = await draftSurvey(admin, [[choice('Q1')]]);
  return by.post(`/api/surveys/${surveyId}/invite/preview`, body);
};

describe('the preview of an invitation', () => {
  it('fills in the variables for a recipient, or for the author', async () => {
    const subject = 'Hello {{name}}';
    const message = 'From {{attribute.region}}, {{email}}\n\n{{link}}';
    const recipient = { name: 'Amara', email: 'amara@people.example', attributes: { region: 'north' } };
    const { body } = await preview({ subject, message, recipient });
    expect(body.data).toMatchObject({ subject: 'Hello Amara', sent_to: null });
    expect(body.data.text).toContain('From north, amara@people.example');
    const own = await preview({ subject, message });
    expect(own.body.data.subject).toBe('Hello Ada Admin');
    expect(own.body.data.text).toContain(admin.email);
    expect(mailServer.mails).toHaveLength(0);
  });

  it('has the default texts in the language of the recipient, and a link to the preview of the draft', async () => {
    const { body } = await preview({ recipient: { language: 'de' } });
    expect(body.data.subject).toBe('Einladung: A survey');
    const [url] = /http\S+\/s\/preview\/\S+?(?=\?|\s)/.exec(body.data.text)!;
    await anonymous(test).get(new URL(url).pathname).expect(200);
  });

  it('shows HTML of the author and the recipient as text', async () => {
    const { body } = await preview({
      message: '<script>alert(1)</script> {{name}}\n\n{{link}}',
      recipient: { name: '<img src=x onerror=alert(1)>' },
    });
    expect(body.data.html).not.toMatch(/<script|<img/);
    expect(body.data.html).toContain('&lt;script&gt;');
  });

  it('is sent to the author only, at most as often as passwords can be tried', async () => {
    const { body } = await preview({
      subject: 'A test',
      send: true,
      recipient: { email: 'other@people.example' },
    });
    expect(body.data.sent_to).toBe(admin.email);
    await expect.poll(() => mailServer.mails.length).toBe(1);
    expect(mailServer.mails[0]!.to).toMatchObject([{ address: admin.email }]);
    expect(mailServer.mails[0]!.subject).toBe('A test');
    const statuses: number[] = [];
    for (let index = 0; index < 6; index += 1) statuses.push((await preview({ send: true })).status);
    expect(statuses).toContain(429);
    expect((await preview({})).status).toBe(200);
  });

  it.each([
    [{ subject: '{{nam}}' }, 'subject'],
    [{ message: '{{link' }, 'message'],
    [{ subject: 'two\nlines' }, 'subject'],
    [{ subject: '' }, 'subject'],
    [{ recipient: { attributes: { a: {} } } }, 'recipient.attributes.a'],
    [{ recipient: { nam: 'x' } }, 'recipient.nam'],
    [{ to: 'other@people.example' }, 'to'],
  ])('refuses %j', async (body, field) => {
    const reply = await preview(body);
    expect(reply.status).toBe(400);
    expect(reply.body.details[0].field).toBe(field);
  });

  it('needs edit permission', async () => {
    expect((await preview({}, (await newOrganization(test)).admin)).status).toBe(404);
    expect((await preview({}, await home.addUser('client'))).status).toBe(403);
    expect((await preview({}, anonymous(test))).status).toBe(401);
  });
});
