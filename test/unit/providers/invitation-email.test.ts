import { expect, it } from 'vitest';
import { type InvitationEmail, messagesFor } from '../../../src/domain/invitations/messages.ts';
import { invitationHtml, invitationText } from '../../../src/providers/mail/mail-content.ts';

const letter = (over: Partial<InvitationEmail> = {}): InvitationEmail => ({
  subject: 'A <b>question</b>',
  blocks: [
    { kind: 'content', element: { tag: 'p', children: ['a < b & "c"\nd'] } },
    {
      kind: 'content',
      element: {
        tag: 'ol',
        start: 3,
        children: [{ tag: 'li', children: [{ tag: 'strong', children: ['<i>'] }] }],
      },
    },
    { kind: 'button' },
    {
      kind: 'content',
      element: {
        tag: 'p',
        children: [{ tag: 'a', href: 'https://r.example/u/T?a=1&b=2', children: ['No more'] }],
      },
    },
  ],
  surveyUrl: 'https://r.example/s/T',
  unsubscribeUrl: 'https://r.example/u/T',
  button: { color: '#0f766e', textColor: '#ffffff' },
  organization: 'R <& Sons',
  localized: messagesFor('en'),
  ...over,
});

it('an email as text contains everything, including addresses', () => {
  expect(invitationText(letter())).toBe(
    [
      'a < b & "c"\nd',
      '3. <i>',
      'Take part:\nhttps://r.example/s/T',
      'No more: https://r.example/u/T?a=1&b=2',
      '-- \nYou received this email because R <& Sons invited you to a survey.\nUnsubscribe: https://r.example/u/T\n',
    ].join('\n\n'),
  );
});

it('an email as HTML escapes its contents and loads nothing remote', () => {
  const html = invitationHtml(letter());
  expect(html).toContain('a &lt; b &amp; &quot;c&quot;<br>d');
  expect(html).toMatch(/<ol start="3" style="[^"]+"><li[^>]*><strong>&lt;i&gt;<\/strong><\/li><\/ol>/);
  expect(html).toContain('<title>A &lt;b&gt;question&lt;/b&gt;</title>');
  expect(html).toContain('R &lt;&amp; Sons');
  expect(html).toContain('href="https://r.example/u/T?a=1&amp;b=2"');
  expect(html).toContain('background:#0f766e"><a href="https://r.example/s/T"');
  expect(html).not.toMatch(/<(img|script|link|style|iframe)|src=|url\(/);
});

it('an email has the text direction of its language', () => {
  expect(invitationHtml(letter({ localized: messagesFor('ar') }))).toContain('<html lang="ar" dir="rtl">');
});

it("an author's text has the direction of its own language, also in an email in another", () => {
  const html = invitationHtml(letter({ localized: messagesFor('ar') }));
  expect(html).toMatch(/<p dir="auto"[^>]*>a &lt; b/);
});
