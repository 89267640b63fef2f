import { expect, it } from 'vitest';
import { type InvitationEmail, messagesFor } from '../../../src/domain/invitations/messages.ts';
import { invitationHtml, invitationText } from '../../../src/providers/mail/mail-content.ts';

const letter = (over: Partial<InvitationEmail> = {}): InvitationEmail => ({
  subject: 'A <b>question</b>',
  blocks: [
    {
      kind: 'paragraph',
      parts: [{ kind: 'text', text: 'a < b & "c"' }, { kind: 'line_end' }, { kind: 'text', text: 'd' }],
    },
    { kind: 'button' },
    { kind: 'paragraph', parts: [{ kind: 'link', text: 'No more', url: 'https://r.example/u/T?a=1&b=2' }] },
  ],
  surveyUrl: 'https://r.example/s/T',
  unsubscribeUrl: 'https://r.example/u/T',
  organization: 'R <& Sons',
  localized: messagesFor('en'),
  ...over,
});

it('an email as text contains everything, including addresses', () => {
  expect(invitationText(letter())).toBe(
    [
      'a < b & "c"\nd',
      'Take part:\nhttps://r.example/s/T',
      'No more: https://r.example/u/T?a=1&b=2',
      '-- \nYou received this email because R <& Sons invited you to a survey.\nUnsubscribe: https://r.example/u/T\n',
    ].join('\n\n'),
  );
});

it('an email as HTML escapes its contents and loads nothing remote', () => {
  const html = invitationHtml(letter());
  expect(html).toContain('a &lt; b &amp; &quot;c&quot;<br>d');
  expect(html).toContain('<title>A &lt;b&gt;question&lt;/b&gt;</title>');
  expect(html).toContain('R &lt;&amp; Sons');
  expect(html).toContain('href="https://r.example/u/T?a=1&amp;b=2"');
  expect(html).not.toMatch(/<(img|script|link|style|iframe)|src=|url\(/);
});

it('an email has the text direction of its language', () => {
  expect(invitationHtml(letter({ localized: messagesFor('ar') }))).toContain('<html lang="ar" dir="rtl">');
});

it("an author's text has the direction of its own language, also in an email in another", () => {
  const html = invitationHtml(letter({ localized: messagesFor('ar') }));
  expect(html).toMatch(/<p dir="auto"[^>]*>a &lt; b/);
});
