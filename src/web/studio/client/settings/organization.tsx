import { Field } from '../../../shared/client/fields.tsx';
import { Form, useAction } from '../../../shared/client/form.tsx';
import { announce } from '../../../shared/client/notices.tsx';
import { Card, Section } from '../../../shared/client/page.tsx';
import { settingsTexts as texts } from '../../texts/settings.ts';
import type { Me, Organization as OrganizationData } from '../../../shared/client/session.ts';
import { changeApi } from '../data/api.ts';
import { ListView, useList } from '../data/query-list.tsx';

const text = texts.organization;

export function Organization({ me, onChange }: { me: Me; onChange: () => Promise<void> }) {
  const { organization } = me;
  return (
    <Section title={text.title}>
      <Card title={text.card}>
        <Form
          key={organization.organization_id}
          submit={texts.common.save}
          onSubmit={async (values) => {
            await changeApi('put', '/api/organization', { body: Object.fromEntries(values) });
            await onChange();
            announce(text.saved);
          }}
        >
          <Field name="organization_name" label={texts.common.name} value={organization.organization_name} />
          <Field
            name="organization_slug"
            label={text.slug}
            hint={text.slugHint}
            value={organization.organization_slug}
          />
        </Form>
      </Card>
      {me.user_role === 'superadmin' && <Organizations current={organization} onChange={onChange} />}
    </Section>
  );
}

/** All organizations of the installation; superadmins can switch between them. */
function Organizations({ current, onChange }: { current: OrganizationData; onChange: () => Promise<void> }) {
  const organizations = useList('/api/organizations');
  const { runAction, errorNotice } = useAction();
  return (
    <section>
      <h2>{text.all}</h2>
      {errorNotice}
      <ListView list={organizations} label={text.list} empty={<p>{text.empty}</p>}>
        {(organization) => (
          <li key={organization.organization_id} class="row">
            <div class="what">
              <p class="title">
                {organization.organization_name}
                {organization.organization_id === current.organization_id && (
                  <span class="chip good">{text.current}</span>
                )}
              </p>
              <p class="soft">{organization.organization_slug}</p>
            </div>
            {organization.organization_id !== current.organization_id && (
              <button
                type="button"
                class="button small"
                onClick={() =>
                  void runAction(async () => {
                    await changeApi('put', '/api/organizations/current/{id}', {
                      path: { id: organization.organization_id },
                    });
                    announce(text.switched(organization.organization_name));
                    document.querySelector('h1')?.focus();
                    await onChange();
                  })
                }
              >
                {text.switch}
                <span class="visually-hidden"> {text.switchLabel(organization.organization_name)}</span>
              </button>
            )}
          </li>
        )}
      </ListView>
    </section>
  );
}
