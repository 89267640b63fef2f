import { describe, expect, it } from 'vitest';
import { useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';

const test = useApp({ PUBLIC_URL: 'https://research.example', TRUST_PROXY: '1' });
const organization = useOrganization(test);

describe('with PUBLIC_URL set', () => {
  it('no link in a reply depends on the host of the request', async () => {
    const claims = { Host: 'evil.example', 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-Proto': 'http' };
    const invite = await organization.admin.post('/api/invite-links', {}).set(claims).expect(201);
    expect(invite.body.data.invite_url).toMatch(/^https:\/\/research\.example\/join\//);
    const checkout = await organization.admin.post('/api/billing/checkout', { credits: 1_000 }).set(claims);
    expect(JSON.stringify(checkout.body)).not.toContain('evil.example');
    const login = await organization.admin
      .post('/api/auth', {
        action: 'login',
        email: organization.admin.email,
        password: organization.admin.password,
      })
      .set(claims)
      .expect(200);
    for (const cookie of login.headers['set-cookie'] as unknown as string[])
      expect(cookie).toContain('Secure');
  });
});
