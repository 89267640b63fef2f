import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { builtProgramArgs } from '../support/built-program.ts';
import { type MailServer, startMailServer } from '../support/mail-server.ts';
import {
  printedValue,
  type ServerProcess,
  START_TIMEOUT_MS,
  startServer,
} from '../support/server-process.ts';

/** Runs the commands of the README, the tutorial and the guides in a shell, and compares their output with the documents. */
const PROJECT = new URL('../../', import.meta.url);
const SEPARATOR = '--- next block ---';
/** A document has dozens of commands, each of which starts programs on a possibly busy machine. */
const LIMITS = { timeout: 2 * START_TIMEOUT_MS };
let folder: string;
let server: ServerProcess;
let mailbox: MailServer;

beforeAll(async () => {
  mailbox = await startMailServer();
  folder = mkdtempSync(path.join(os.tmpdir(), 'canvass-readme-'));
  chmodSync(folder, 0o755);
  server = startServer(
    {
      DATA_DIR: path.join(folder, 'data'),
      PORT: '0',
      LOG_LEVEL: 'warn',
      SMTP_URL: mailbox.url,
      MAIL_FROM: 'Canvass <research@example.org>',
    },
    builtProgramArgs('main'),
  );
  expect(await server.started(), server.logged()).toBeNull();
}, 2 * START_TIMEOUT_MS);

afterAll(async () => {
  if (server.process.exitCode === null) server.process.kill('SIGTERM');
  await server.ended();
  await mailbox.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Block {
  readonly commands: string;
  /** Parts of the expected output, in order; `…` in the document separates them. Empty: no output is documented. */
  readonly expected: string[];
}

const textOf = (file: string) => readFileSync(new URL(file, PROJECT), 'utf8');
const origin = () => printedValue(server.printed(), 'Canvass listens on');

/** The command blocks of a document, each with the output block that follows it. */
function blocksOf(file: string): Block[] {
  const pairs = textOf(file).matchAll(/```sh\n([\s\S]*?)```(?:\s*```text\n([\s\S]*?)```)?/g);
  return [...pairs].map(([, commands, output]) => ({
    commands: commands!,
    expected: (output ?? '')
      .replaceAll('http://127.0.0.1:3000', origin())
      .split(/…|\n/)
      .map(withoutWhitespace)
      .filter(Boolean),
  }));
}

/** Node prints short objects on one line and long ones on several. */
const withoutWhitespace = (text: string) => text.replace(/\s+/g, '');

/** The definitions of `api`, `post` and `show`, with the address and the key of the test server. */
function shellHelpers(file = 'README.md'): string {
  const block = blocksOf(file).find(({ commands }) => commands.startsWith('KEY='));
  return block!.commands
    .replace(/KEY=\S+/, `KEY=${printedValue(server.printed(), 'API key')}`)
    .replace(/API=\S+/, `API=${origin()}/api`);
}

/** Runs asynchronously, because this process is the mail server meanwhile. */
const runInShell = (script: string) =>
  new Promise<{ status: number | null; stdout: string; stderr: string }>((resolve) => {
    const shell = execFile('bash', ['-c', script], { cwd: folder }, (_error, stdout, stderr) => {
      resolve({ status: shell.exitCode, stdout, stderr });
    });
  });

/** Blocks without those that install and start Canvass, and without the helpers. */
const commandBlocksOf = (file: string): Block[] =>
  blocksOf(file).filter(({ commands }) => !/^(npm|KEY=)/.test(commands));

/** Runs all blocks in one shell. Blocks that document an error must fail, all others must succeed. */
async function expectDocumentedOutput(blocks: Block[]): Promise<void> {
  const commands = blocks.map((block) => {
    if (!block.expected.includes('error:1,')) return block.commands;
    return `if { ${block.commands}\n}; then echo 'the request was not refused' >&2; exit 1; fi`;
  });
  const script = ['set -eo pipefail', shellHelpers(), commands.join(`\necho '${SEPARATOR}'\n`)].join('\n');
  const shell = await runInShell(script);
  const outputs = shell.stdout.split(SEPARATOR).map(withoutWhitespace);
  const last = outputs.length - 1;
  expect(shell.status, `${shell.stderr} ${outputs[last]}\nfrom\n${blocks[last]?.commands}`).toBe(0);

  for (const [index, block] of blocks.entries()) {
    let from = 0;
    for (const part of block.expected) {
      const found = outputs[index]!.indexOf(part, from);
      expect(found, `${part}\nis missing in the output of\n${block.commands}\n${outputs[index]}`).not.toBe(
        -1,
      );
      from = found + part.length;
    }
  }
}

test('the README shows the output of the first start', () => {
  const [block] = /^ {2}Canvass listens on[\s\S]*?(?=```)/m.exec(textOf('README.md')) ?? [];
  const labels = block!.split('\n').map((line) => /^ +(\S+(?: \S+)*) {2,}/.exec(line)?.[1]);
  expect(labels.filter(Boolean)).toHaveLength(7);
  for (const label of labels.filter(Boolean)) expect(printedValue(server.printed(), label!)).not.toBe('');
});

test('the tour of the README works as documented', LIMITS, async () => {
  const blocks = commandBlocksOf('README.md');
  expect(blocks.length).toBeGreaterThan(3);
  await expectDocumentedOutput(blocks);
});

test('the tutorial works as documented', LIMITS, async () => {
  expect(shellHelpers('docs/tutorial.md')).toBe(shellHelpers('README.md'));
  const blocks = commandBlocksOf('docs/tutorial.md');
  expect(blocks.length).toBeGreaterThan(7);
  await expectDocumentedOutput(blocks);
});

test('the guide to cleaning and weighting works as documented', LIMITS, async () => {
  await expectDocumentedOutput(blocksOf('docs/how-to/clean-and-weight-data.md'));
  expect(readFileSync(path.join(folder, 'big-five.sav')).toString('latin1', 0, 4)).toBe('$FL2');
});

test('the guide to fieldwork works as documented, and its emails arrive', LIMITS, async () => {
  await expectDocumentedOutput(blocksOf('docs/how-to/run-fieldwork.md'));
  const mails = mailbox.mails.map(({ to, subject, text }) => ({ to: to![0]!.address!, subject, text }));
  const invitations = mails.filter(({ subject }) => subject?.endsWith('how is tram 9?'));
  const reminders = mails.filter(({ subject }) => subject?.endsWith('we would still like to know'));
  const rider = (number: number) => `rider${number}@example.org`;
  const allRiders = Array.from({ length: 20 }, (_, index) => rider(index + 1));
  expect(invitations.map(({ to }) => to).sort()).toEqual(allRiders.sort());
  const withoutResponse = [10, 11, 13, 14, 15, 16, 17, 18, 19, 20].map(rider);
  expect(reminders.map(({ to }) => to).sort()).toEqual(withoutResponse.sort());
  expect(mails).toHaveLength(30);
  expect(invitations.find(({ to }) => to === rider(2))!.text).toMatch(
    /^Dear Rider 2,\s+you get on at Harbour\.[\s\S]*\/s\/\w{20}\s/,
  );
  const links = new Set(invitations.map(({ text }) => /\/s\/(\w+)/.exec(text!)?.[1]));
  expect(links.size).toBe(20);
});
