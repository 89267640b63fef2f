import { format } from 'prettier';

interface Setting {
  readonly name: string;
  readonly defaultValue: string | null;
  readonly description: string;
}

interface Section {
  readonly title: string;
  readonly settings: Setting[];
}

/**
 * Reads .env.example: `## Title` begins a section, `# text` describes the settings that follow until the next blank line or description, and
 * a commented assignment has no default. `Default:` in a description names a default that depends on other settings.
 */
export function readSettings(example: string): Section[] {
  const sections: Section[] = [];
  let description: string[] = [];
  let isDescribed = false;
  for (const line of example.split('\n')) {
    const title = /^## (.+)$/.exec(line);
    const assignment = /^(# )?([A-Z][A-Z0-9_]+)=(.*)$/.exec(line);
    const text = /^# (.+)$/.exec(line);
    if (title !== null) {
      sections.push({ title: title[1]!, settings: [] });
    } else if (assignment !== null) {
      const [, commented, name, value] = assignment;
      const section = sections.at(-1);
      if (section === undefined) throw new Error(`.env.example: ${name} stands before the first section`);
      if (description.length === 0) throw new Error(`.env.example: ${name} has no description`);
      const defaultValue = commented === undefined ? value! : null;
      section.settings.push({ name: name!, defaultValue, description: description.join(' ') });
      isDescribed = true;
    } else if (text !== null) {
      if (isDescribed) description = [];
      isDescribed = false;
      description.push(text[1]!);
    } else {
      description = [];
      isDescribed = false;
    }
  }
  return sections;
}

/** The text of docs/reference/settings.md. */
export function settingsReference(example: string): Promise<string> {
  const sections = readSettings(example).map(({ title, settings }) => {
    const rows = settings.map(({ name, defaultValue, description }) => {
      const stated = /\s*Default: (.+?)\.(?=\s|$)/.exec(description);
      const shown = defaultValue === null ? (stated?.[1] ?? '') : `\`${defaultValue}\``;
      const text =
        defaultValue === null && stated !== null ? description.replace(stated[0], '') : description;
      return `| \`${name}\` | ${shown} | ${text} |`;
    });
    return [`## ${title}`, '', '| Variable | Default | Description |', '| --- | --- | --- |', ...rows].join(
      '\n',
    );
  });
  const introduction = [
    '# Settings',
    '',
    '<!-- Written by `npm run generate` from .env.example. -->',
    '',
    'Canvass reads settings from environment variables and from the file `.env`. All of them are optional. A start with an invalid setting fails',
    'and names the setting. [Install](../how-to/install.md) shows which ones a server needs. More about',
    '[wrong passwords](authentication.md#wrong-passwords), [free disk space](../how-to/monitor.md#free-disk-space) and',
    '[payments](../how-to/accept-payments.md).',
  ].join('\n');
  return format([introduction, ...sections].join('\n\n'), { parser: 'markdown', printWidth: 110 });
}
