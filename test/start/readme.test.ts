import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { builtProgram } from '../support/built-program.ts';
import { type MailServer, startMailServer } from '../support/mail-server.ts';
import { printedValue, type ServerProcess, START_WITHIN_MS, startServer } from '../support/server-process.ts';

/** What a newcomer is told to type, typed in a shell: every command does what is said, and prints what is shown. */
const PROJECT = new URL('../../', import.meta.url);
const BETWEEN = '--- the next block ---';
/** A document is dozens of commands, each a program that has to start on a machine that may be busy. */
const TYPED = { timeout: 2 * START_WITHIN_MS };
let folder: string;
let server: ServerProcess;
let mailbox: MailServer;

beforeAll(async () => {
  mailbox = await startMailServer();
  folder = mkdtempSync(path.join(os.tmpdir(), 'canvass-readme-'));
  chmodSync(folder, 0o755);
  // As it is typed it is started in start.test.ts.
  server = startServer(
    {
      DATA_DIR: path.join(folder, 'data'),
      PORT: '0',
      LOG_LEVEL: 'warn',
      SMTP_URL: mailbox.url,
      MAIL_FROM: 'Canvass <research@example.org>',
    },
    builtProgram('main'),
  );
  expect(await server.started(), server.logged()).toBeNull();
}, 2 * START_WITHIN_MS);

afterAll(async () => {
  if (server.process.exitCode === null) server.process.kill('SIGTERM');
  await server.ended();
  await mailbox.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Block {
  readonly commands: string;
  /** Printed by them; what is between two pieces was left out. Empty: nothing is shown. */
  readonly shown: string[];
}

const textOf = (file: string) => readFileSync(new URL(file, PROJECT), 'utf8');
const origin = () => printedValue(server.printed(), 'Canvass listens on');

/** The document's blocks of commands, each with the output that stands under it. */
function blocksOf(file: string): Block[] {
  const pairs = textOf(file).matchAll(/```sh\n([\s\S]*?)```(?:\s*```text\n([\s\S]*?)```)?/g);
  return [...pairs].map(([, commands, shown]) => ({
    commands: commands!,
    shown: (shown ?? '')
      .replaceAll('http://127.0.0.1:3000', origin())
      .split(/…|\n/)
      .map(bare)
      .filter(Boolean),
  }));
}

/** Without what only lays it out: a short reply stands on one line here and on many there. */
const bare = (text: string) => text.replace(/\s+/g, '');

function preamble(): string {
  const [block] = blocksOf('README.md').filter(({ commands }) => commands.startsWith('KEY='));
  return block!.commands
    .replace(/KEY=\S+/, `KEY=${printedValue(server.printed(), 'API key')}`)
    .replace(/API=\S+/, `API=${origin()}/api`);
}

/** Meanwhile this process answers as the mail server. */
const typedInShell = (script: string) =>
  new Promise<{ status: number | null; stdout: string; stderr: string }>((resolve) => {
    const shell = execFile('bash', ['-c', script], { cwd: folder }, (_error, stdout, stderr) => {
      resolve({ status: shell.exitCode, stdout, stderr });
    });
  });

/** Types the blocks in one shell, as they stand; what is shown as an error has to fail, all else to succeed. */
async function expectPrinted(blocks: Block[]): Promise<void> {
  const typed = blocks.map(({ commands, shown }) => {
    if (!shown.includes('error:1,')) return commands;
    return `if { ${commands}\n}; then echo 'was not refused' >&2; exit 1; fi`;
  });
  const script = ['set -eo pipefail', preamble(), typed.join(`\necho '${BETWEEN}'\n`)].join('\n');
  const shell = await typedInShell(script);
  const outputs = shell.stdout.split(BETWEEN).map(bare);
  const last = outputs.length - 1;
  expect(shell.status, `${shell.stderr} ${outputs[last]}\nfrom\n${blocks[last]?.commands}`).toBe(0);

  for (const [index, { commands, shown }] of blocks.entries()) {
    let from = 0;
    for (const piece of shown) {
      const at = outputs[index]!.indexOf(piece, from);
      expect(
        at,
        `${piece}\nis shown, not printed, by\n${commands}\nwhich printed ${outputs[index]}`,
      ).not.toBe(-1);
      from = at + piece.length;
    }
  }
}

test('a newcomer is shown what the first start prints', () => {
  const [shown] = /^ {2}Canvass listens on[\s\S]*?(?=```)/m.exec(textOf('README.md')) ?? [];
  const labels = shown!.split('\n').map((line) => /^ +(\S+(?: \S+)*) {2,}/.exec(line)?.[1]);
  expect(labels.filter(Boolean)).toHaveLength(7);
  for (const label of labels.filter(Boolean)) expect(printedValue(server.printed(), label!)).not.toBe('');
});

test('a newcomer takes the tour of five minutes', TYPED, async () => {
  const blocks = blocksOf('README.md').filter(({ commands }) => !/^(npm|KEY=)/.test(commands));
  expect(blocks.length).toBeGreaterThan(4);
  await expectPrinted(blocks);
});

test('a researcher spends a day with the data', TYPED, async () => {
  await expectPrinted(blocksOf('docs/data-walkthrough.md'));
  expect(readFileSync(path.join(folder, 'big-five.sav')).toString('latin1', 0, 4)).toBe('$FL2');
});

test('a wave of fieldwork is run, and the mails of it arrive', TYPED, async () => {
  await expectPrinted(blocksOf('docs/fieldwork-walkthrough.md'));
  const mails = mailbox.mails.map(({ to, subject, text }) => ({ to: to![0]!.address!, subject, text }));
  const invitations = mails.filter(({ subject }) => subject?.endsWith('how is tram 9?'));
  const again = mails.filter(({ subject }) => subject?.endsWith('we would still like to know'));
  const rider = (number: number) => `rider${number}@example.org`;
  const everybody = Array.from({ length: 20 }, (_, index) => rider(index + 1));
  expect(invitations.map(({ to }) => to).sort()).toEqual(everybody.sort());
  const unanswered = [10, 11, 13, 14, 15, 16, 17, 18, 19, 20].map(rider);
  expect(again.map(({ to }) => to).sort()).toEqual(unanswered.sort());
  expect(mails).toHaveLength(30);
  expect(invitations.find(({ to }) => to === rider(2))!.text).toMatch(
    /^Dear Rider 2,\s+you get on at Harbour\.[\s\S]*\/s\/\w{20}\s/,
  );
  const doors = new Set(invitations.map(({ text }) => /\/s\/(\w+)/.exec(text!)?.[1]));
  expect(doors.size).toBe(20);
});

describe('what the documents name is there', () => {
  test.each([
    'README.md',
    'docs/data-walkthrough.md',
    'docs/fieldwork-walkthrough.md',
    'docs/configuration.md',
    'docs/limits.md',
  ])('%s', (file) => {
    const links = [...textOf(file).matchAll(/(?:\]\(|src=")([\w./-]+)/g)].map(([, link]) => {
      return new URL(link!, new URL(file, PROJECT));
    });
    const tests = [...textOf(file).matchAll(/\b(test\/[\w./-]+)/g)].map(
      ([, name]) => new URL(name!, PROJECT),
    );
    for (const each of [...links, ...tests])
      expect(existsSync(each), `${file} names ${each.pathname}`).toBe(true);
  });

  test('every setting of .env.example is explained', () => {
    const settings = [...textOf('.env.example').matchAll(/^(?:# )?([A-Z][A-Z0-9_]+)=/gm)].map(
      ([, name]) => name!,
    );
    expect(settings).toContain('PORT');
    const explained = textOf('docs/configuration.md');
    for (const name of settings) expect(explained).toContain(`\`${name}\``);
  });
});
