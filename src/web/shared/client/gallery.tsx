import { render } from 'preact';
import { useState } from 'preact/hooks';
import { Dialog } from './dialog.tsx';
import {
  CheckField,
  Field,
  PasswordField,
  RadioField,
  SearchField,
  SelectField,
  SwitchField,
  TextAreaField,
} from './fields.tsx';
import { FieldProblems, Form } from './form.tsx';
import { Icon } from './icon.tsx';
import { Menu } from './menu.tsx';
import { SideNavigation } from './navigation.tsx';
import { announce, CopyButton, Toast } from './notices.tsx';
import { Card, PageShell, Section } from './page.tsx';

/** Every component of the design system on one page. It is an entry for tests; no application contains it. */
function Gallery() {
  const [isOpen, setIsOpen] = useState(false);
  const [isLive, setIsLive] = useState(true);
  return (
    <>
      <PageShell
        path="/gallery"
        place="My organization"
        links={[['/dashboards', 'Dashboards']]}
        user={<span class="person">Ada Lovelace</span>}
        navigation={
          <SideNavigation
            label="Components"
            groups={[
              {
                label: 'Pages',
                links: [
                  { path: '/gallery', label: 'Gallery' },
                  { path: '/other', label: 'Other', badge: <span class="badge">3</span> },
                ],
              },
            ]}
            current="/gallery"
          />
        }
      >
        <Section title="Gallery" about="Every component of the design system.">
          <nav class="tabs" aria-label="Tabs">
            <ul>
              <li>
                <a href="#one" aria-current="page">
                  One
                </a>
              </li>
              <li>
                <a href="#two">Two</a>
              </li>
            </ul>
          </nav>
          <Card title="Buttons" about="Verbs.">
            <div class="buttons">
              <button class="button primary">Publish</button>
              <button class="button">Preview</button>
              <button class="button primary danger">Delete</button>
              <button class="button small">Edit</button>
              <button class="button small danger">Remove</button>
              <button class="plain">Start over</button>
              <CopyButton text="text" name="Link" />
              <Menu
                label="More"
                button={<Icon name="more" />}
                align="start"
                head="Coffee"
                items={[
                  { label: 'Open', path: '/gallery' },
                  { label: 'Delete', danger: true, run: () => announce('Deleted') },
                ]}
              />
            </div>
          </Card>
          <Card title="Form">
            <Form submit="Save" onSubmit={() => Promise.resolve(announce('Saved'))}>
              <FieldProblems.Provider value={new Map([['slug', 'is required']])}>
                <Field name="name" label="Name" hint="As respondents see it" />
                <Field name="slug" label="Slug" />
                <PasswordField name="password" label="Password" autocomplete="new-password" />
                <SelectField
                  name="role"
                  label="Role"
                  value="b"
                  options={[['a', 'Admin'] as const, ['b', 'Member'] as const]}
                />
                <RadioField
                  name="size"
                  label="Size"
                  value="s"
                  options={[['s', 'Small'] as const, ['l', 'Large'] as const]}
                />
                <TextAreaField name="about" label="About" value="A longer text" />
                <CheckField name="terms" label="I agree" checked />
                <SwitchField name="live" label="Live updates" checked={isLive} onChange={setIsLive} />
              </FieldProblems.Provider>
            </Form>
            <SearchField label="Search" onSearch={() => undefined} />
          </Card>
          <Card title="Table">
            <div class="scroll" tabIndex={0} role="region" aria-label="Table">
              <table class="table">
                <thead>
                  <tr>
                    <th scope="col">Name</th>
                    <th scope="col">State</th>
                  </tr>
                </thead>
                <tbody>
                  <tr>
                    <th scope="row">Coffee</th>
                    <td>
                      <span class="chip good">Active</span> <span class="chip wait">Waiting</span>{' '}
                      <span class="chip bad">Closed</span> <span class="chip">Draft</span>
                    </td>
                  </tr>
                </tbody>
              </table>
            </div>
          </Card>
          <div class="blank">
            <p class="title">No surveys yet</p>
            <p>Create a survey to collect responses.</p>
          </div>
          <p class="summary">The survey has two problems.</p>
          <button class="button" onClick={() => setIsOpen(true)}>
            Open the dialog
          </button>
        </Section>
      </PageShell>
      {isOpen && (
        <Dialog title="A dialog" onClose={() => setIsOpen(false)}>
          <p>Its text.</p>
          <div class="buttons">
            <button class="button primary" onClick={() => setIsOpen(false)}>
              Done
            </button>
          </div>
        </Dialog>
      )}
      <Toast />
    </>
  );
}

render(<Gallery />, document.body);
