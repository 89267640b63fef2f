import { describe, expect, it } from 'vitest';
import { redirectProblem, redirectUrlOf } from '../../../../../src/domain/survey/survey-settings.ts';

const ended = (
  status: 'complete' | 'partial' | 'screened_out',
  statusReason: string | null = null,
  externalId: string | null = 'p 1&x=\'"<',
) => ({
  status,
  statusReason,
  externalId,
});
/** A signature that names what it is for. */
const sign = ({ externalId, status }: { externalId: string; status: string }) => ({
  signedAt: 1767225600,
  signature: `${externalId.length}-${status}`,
});
const redirects = {
  complete: 'https://panel.example/c?id={{external_id}}',
  quality: null,
  default: 'https://panel.example/d',
};

describe('the redirect of a respondent', () => {
  it('is the URL of the outcome, with the response id filled in', () => {
    expect(redirectUrlOf(ended('complete'), redirects, null, sign)).toBe(
      'https://panel.example/c?id=p%201%26x%3D%27%22%3C',
    );
    expect(redirectUrlOf(ended('complete', null, null), redirects, null, sign)).toBe(
      'https://panel.example/c?id=',
    );
    expect(redirectUrlOf(ended('complete', null, '\ud800'), redirects, null, sign)).toContain('%EF%BF%BD');
  });

  it('has the outcome and the signature of the exit', () => {
    const signed = {
      default: 'https://p.example/?s={{status}}&t={{signed_at}}&h={{signature}}&s={{status}}',
    };
    expect(redirectUrlOf(ended('screened_out', 'quality', 'abc'), signed, null, sign)).toBe(
      'https://p.example/?s=quality&t=1767225600&h=3-quality&s=quality',
    );
  });

  it.each(['screen_out', 'over_quota', 'quality', null])('for %s falls back to the default', (reason) => {
    expect(redirectUrlOf(ended('screened_out', reason), redirects, 'https://own.example', sign)).toBe(
      'https://panel.example/d',
    );
  });

  it("is the survey's own if the link has none, and empty without both or before the end", () => {
    expect(redirectUrlOf(ended('complete'), {}, 'https://own.example', sign)).toBe('https://own.example');
    expect(redirectUrlOf(ended('complete'), {}, null, sign)).toBeNull();
    expect(redirectUrlOf(ended('partial'), redirects, 'https://own.example', sign)).toBeNull();
  });
});

describe('a redirect URL', () => {
  it.each([
    'https://panel.example/x?id={{external_id}}&again={{external_id}}',
    'http://localhost:8080/{{external_id}}',
    'https://panel.example/x?s={{status}}&t={{signed_at}}&h={{signature}}',
  ])('accepts %s', (template) => expect(redirectProblem(template)).toBeNull());

  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    '//panel.example',
    'https://{{external_id}}',
    'https://{{external_id}}.example',
    'https://a.example:{{external_id}}/',
    'https://a.example/?id={{respondent}}',
    'https://{{signature}}.example/',
    'https://a.example/?id={external_id}',
    'https://a b.example',
    '{{external_id}}',
    '',
  ])('rejects %j', (template) => expect(redirectProblem(template)).toMatch(/^m/));
});
