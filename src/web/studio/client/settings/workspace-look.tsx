import { useState } from 'preact/hooks';
import { contrastRatio } from '../../../../domain/survey/contrast.ts';
import { Field, SelectField } from '../../../shared/client/fields.tsx';
import { Form } from '../../../shared/client/form.tsx';
import { announce } from '../../../shared/client/notices.tsx';
import { Section } from '../../../shared/client/page.tsx';
import { lookTexts as t } from '../../texts/look.ts';
import { surveySettingsTexts } from '../../texts/survey-settings.ts';
import { changeApi, type Schema } from '../data/api.ts';
import { reloadQueries } from '../data/queries.ts';
import { ListView, useList } from '../data/query-list.tsx';

type Workspace = Schema<'Workspace'>;

/** Values that are typed. */
const LINES = Object.keys(t.labels) as (keyof typeof t.labels)[];
const { typefaces, madeWith, shown, notShown } = surveySettingsTexts;

/** The look of the surveys of each workspace that the user owns. */
export function WorkspaceLooks() {
  const workspaces = useList('/api/workspaces');
  return (
    <Section title={t.title}>
      <p class="about">{t.about}</p>
      <ListView list={workspaces} label={t.list} empty={<p>{t.empty}</p>}>
        {(workspace) =>
          workspace.my_role === 'owner' && (
            <li key={workspace.workspace_id} class="look-row">
              <details class="settings-group">
                <summary>{workspace.workspace_name}</summary>
                <LookForm workspace={workspace} />
              </details>
            </li>
          )
        }
      </ListView>
    </Section>
  );
}

function LookForm({ workspace }: { workspace: Workspace }) {
  const { workspace_id: id, workspace_name: name, workspace_look: look } = workspace;
  const [typed, setTyped] = useState({
    color: look.color,
    background: look.background_color,
    logo: look.logo,
  });
  const save = async (values: ReadonlyMap<string, string>) => {
    const orNull = (field: string): string | null => values.get(`workspace_look.${field}`)?.trim() || null;
    const typeface = orNull('typeface');
    await changeApi('put', '/api/workspaces/{id}', {
      path: { id },
      body: {
        workspace_look: {
          ...Object.fromEntries(LINES.map((line) => [line, orNull(line)])),
          typeface: typeface !== null && typeface in typefaces ? (typeface as keyof typeof typefaces) : null,
          made_with_canvass: orNull('made_with_canvass') === 'true',
        },
      },
    });
    await reloadQueries('/api/workspaces');
    announce(t.saved(name));
  };
  return (
    <div
      class="look-editor"
      onInput={({ currentTarget }) => {
        const valueOf = (field: string) =>
          currentTarget.querySelector<HTMLInputElement>(`[name="workspace_look.${field}"]`)?.value.trim() ??
          '';
        setTyped({ color: valueOf('color'), background: valueOf('background_color'), logo: valueOf('logo') });
      }}
    >
      <div class="look-previews" role="img" aria-label={t.preview}>
        <LookPreview {...typed} device="phone" />
        <LookPreview {...typed} device="desktop" />
      </div>
      <Form submit={t.save} onSubmit={save}>
        {LINES.map((line) => (
          <Field
            key={line}
            name={`workspace_look.${line}`}
            label={t.labels[line]}
            hint={t.hints[line]}
            value={look[line] ?? ''}
          />
        ))}
        <SelectField
          name="workspace_look.typeface"
          label={surveySettingsTexts.typeface}
          value={look.typeface ?? 'sans'}
          options={Object.entries(typefaces)}
        />
        <SelectField
          name="workspace_look.made_with_canvass"
          label={madeWith}
          value={String(look.made_with_canvass ?? false)}
          options={[
            ['true', shown],
            ['false', notShown],
          ]}
        />
      </Form>
    </div>
  );
}

const isColor = (text: string | null): text is string => /^#[0-9a-f]{6}$/i.test(text ?? '');
const textOn = (color: string): string => (contrastRatio(color, '#ffffff') >= 4.5 ? '#ffffff' : '#1d1c1a');

/** A sketch of the page with the typed colors and logo. */
function LookPreview({
  color,
  background,
  logo,
  device,
}: {
  color: string | null;
  background: string | null;
  logo: string | null;
  device: 'phone' | 'desktop';
}) {
  const behind = isColor(background) ? background : '#faf9f7';
  const accent = isColor(color) ? color : '#4f46e5';
  return (
    <div class={`look-preview ${device}`} style={{ background: behind, color: textOn(behind) }}>
      {logo !== null && logo.startsWith('/') && <img src={logo} alt="" />}
      <p>{t.sampleQuestion}</p>
      {t.sampleAnswers.map((answer) => (
        <span key={answer}>{answer}</span>
      ))}
      <b style={{ background: accent, color: textOn(accent) }}>{t.sampleButton}</b>
    </div>
  );
}
