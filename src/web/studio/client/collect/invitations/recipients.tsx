import { useRef, useState } from 'preact/hooks';
import { ApiError, uploadFile } from '../../../../shared/client/api.ts';
import { errorMessage, fieldMessage } from '../../../../shared/client/form-errors.ts';
import { texts } from '../../../texts.ts';
import type { Schema } from '../../data/api.ts';

type Report = Schema<'ImportedRespondents'>;

const t = texts.invitations;
const FIELDS = Object.entries(t.meanings) as [keyof typeof t.meanings, string][];
const SHOWN_PROBLEMS = 20;

export interface Person {
  email: string;
  name: string | null;
}

/** The recipients that the user chose. */
export type Recipients =
  | { kind: 'text'; people: readonly Person[] }
  /** Imported when the invitations are sent. `report`: of a dry run. */
  | { kind: 'file'; file: File; columnNames: Record<string, string>; report: Report };

export const countRecipients = (recipients: Recipients | null): number =>
  recipients === null
    ? 0
    : recipients.kind === 'text'
      ? recipients.people.length
      : recipients.report.created + recipients.report.updated + recipients.report.unchanged;

/** Imports the file into the respondents of the workspace; a dry run stores nothing. Rows with problems are left out. */
export function importFile({
  file,
  columnNames,
  workspaceId,
  isDryRun,
}: {
  file: File;
  columnNames: Record<string, string>;
  workspaceId: number;
  isDryRun: boolean;
}): Promise<Report> {
  const form = new FormData();
  form.append('dry_run', String(isDryRun));
  form.append('atomic', 'false');
  form.append('update_existing', 'true');
  form.append('column_names', JSON.stringify(columnNames));
  form.append('file', file, file.name);
  return uploadFile<Report>(`/api/surveys/respondents/import?workspace_id=${workspaceId}`, form, 'POST');
}

/** `Amara Okafor <amara@example.org>` or an address, one a line. */
function parsePeople(text: string): Person[] {
  return text.split(/\r?\n/).flatMap((line) => {
    const trimmed = line.trim();
    if (trimmed === '') return [];
    const [, before = '', address] = /^([^<]*)<([^<>]+)>$/.exec(trimmed) ?? [];
    const name = before.trim().replace(/^"|"$/g, '');
    return [
      address === undefined ? { email: trimmed, name: null } : { email: address.trim(), name: name || null },
    ];
  });
}

/** Lets the user choose recipients: from a file whose columns are mapped, or pasted. */
export function RecipientsField({
  workspaceId,
  problems,
  onChange,
}: {
  workspaceId: number;
  /** Problems of pasted lines, found when they were checked. */
  problems: readonly { line: number; message: string }[];
  onChange: (recipients: Recipients | null) => void;
}) {
  const [kind, setKind] = useState<'file' | 'text'>('file');
  return (
    <>
      <div class="segments" role="group" aria-label={t.way}>
        {(['file', 'text'] as const).map((each) => (
          <button
            key={each}
            type="button"
            aria-pressed={each === kind}
            onClick={() => {
              setKind(each);
              onChange(null);
            }}
          >
            {t.ways[each]}
          </button>
        ))}
      </div>
      {kind === 'file' ? (
        <FileRecipients workspaceId={workspaceId} onChange={onChange} />
      ) : (
        <div class="labeled">
          <label for="invite-addresses">{t.addresses}</label>
          <p class="hint" id="invite-addresses-hint">
            {t.addressesHint}
          </p>
          <textarea
            id="invite-addresses"
            class="field"
            rows={6}
            placeholder={t.addressesExample}
            aria-describedby="invite-addresses-hint"
            aria-invalid={problems.length > 0}
            onInput={({ currentTarget: { value } }) => {
              const people = parsePeople(value);
              onChange(people.length === 0 ? null : { kind: 'text', people });
            }}
          />
          {problems.length > 0 && (
            <ul class="problem" role="alert">
              {problems.map(({ line, message }) => (
                <li key={line}>
                  {t.line(line)}: {message}
                </li>
              ))}
            </ul>
          )}
        </div>
      )}
    </>
  );
}

interface ReadFile {
  file: File;
  headers: string[];
  columnNames: Record<string, string>;
  /** null: the columns do not identify respondents yet. */
  report: Report | null;
  problem: string | null;
}

function FileRecipients({
  workspaceId,
  onChange,
}: {
  workspaceId: number;
  onChange: (recipients: Recipients | null) => void;
}) {
  const [read, setRead] = useState<ReadFile | null>(null);
  const [isBusy, setBusy] = useState(false);
  const latest = useRef(0);

  const check = async (file: File, columnNames: Record<string, string>) => {
    const turn = (latest.current += 1);
    const show = (result: Omit<ReadFile, 'file' | 'columnNames'>) => {
      if (turn !== latest.current) return;
      setBusy(false);
      setRead({ file, columnNames, ...result });
      const { report } = result;
      onChange(report === null ? null : { kind: 'file', file, columnNames, report });
    };
    setBusy(true);
    try {
      const report = await importFile({ file, columnNames, workspaceId, isDryRun: true });
      show({ report, headers: report.columns.map(({ header }) => header), problem: null });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const { columns } = error.body;
      show({
        report: null,
        headers: Array.isArray(columns) ? columns.map(String) : [],
        problem: errorMessage(error),
      });
    }
  };

  return (
    <div class="invite-file" aria-busy={isBusy}>
      <label class="button choose">
        <input
          class="visually-hidden"
          type="file"
          accept=".csv,.xlsx,.xlsm,.xltx,.sav,text/csv"
          aria-describedby="invite-file-hint"
          onChange={({ currentTarget }) => {
            const file = currentTarget.files?.[0];
            if (file !== undefined) void check(file, {});
            currentTarget.value = '';
          }}
        />
        {isBusy ? t.reading : read === null ? t.chooseFile : t.chooseOther}
      </label>
      <p class="hint" id="invite-file-hint">
        {read === null ? t.fileHint : read.file.name}
      </p>
      {read !== null && <FileReport read={read} onMap={(names) => void check(read.file, names)} />}
    </div>
  );
}

function FileReport({
  read: { headers, columnNames, report, problem },
  onMap,
}: {
  read: ReadFile;
  onMap: (columnNames: Record<string, string>) => void;
}) {
  const failed = report?.rows.filter(({ outcome }) => outcome === 'failed') ?? [];
  const valid = report === null ? 0 : report.rows.length - failed.length;
  return (
    <>
      <div role="status">
        {report !== null && <p class="title">{t.found(valid)}</p>}
        {problem !== null && <p class="problem">{problem}</p>}
      </div>
      {headers.length > 0 && (
        <table class="table" aria-label={t.columns}>
          <thead>
            <tr>
              <th scope="col">{t.column}</th>
              <th scope="col">{t.meaning}</th>
            </tr>
          </thead>
          <tbody>
            {headers.map((header, index) => (
              <tr key={`${index} ${header}`}>
                <th scope="row">{header}</th>
                <td>
                  <MeaningSelect
                    header={header}
                    value={columnNames[header.trim()] ?? meaningOf(report?.columns[index], header)}
                    onChange={(name) => onMap({ ...columnNames, [header.trim()]: name })}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {failed.length > 0 && (
        <>
          <p class="problem">{t.failed(failed.length)}</p>
          <div class="scroll" tabIndex={0} role="region" aria-label={t.problem}>
            <table class="table" aria-label={t.problem}>
              <thead>
                <tr>
                  <th scope="col">{t.row}</th>
                  <th scope="col">{t.column}</th>
                  <th scope="col">{t.problem}</th>
                </tr>
              </thead>
              <tbody>
                {failed.slice(0, SHOWN_PROBLEMS).flatMap(({ row, details = [] }) =>
                  details.map(({ column, message }) => (
                    <tr key={`${row} ${column}`}>
                      <th scope="row">{row}</th>
                      <td>{columnLabel(column)}</td>
                      <td>{fieldMessage(columnLabel(column), message)}</td>
                    </tr>
                  )),
                )}
              </tbody>
            </table>
          </div>
          {failed.length > SHOWN_PROBLEMS && (
            <p class="soft">{t.moreProblems(failed.length - SHOWN_PROBLEMS)}</p>
          )}
        </>
      )}
    </>
  );
}

/** The label of a column that the API names. */
const columnLabel = (column: string): string => FIELDS.find(([field]) => field === column)?.[1] ?? column;

/** The name that `column_names` gives to a column: a field, an attribute, or '' to leave it out. */
const meaningOf = (column: Report['columns'][number] | undefined, header: string): string =>
  column === undefined ? header : (column.field ?? column.attribute ?? '');

function MeaningSelect({
  header,
  value,
  onChange,
}: {
  header: string;
  value: string;
  onChange: (name: string) => void;
}) {
  const isField = FIELDS.some(([field]) => field === value);
  const detail = isField || value === '' ? header : value;
  return (
    <select
      class="field"
      aria-label={t.meaningOf(header)}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    >
      {FIELDS.map(([field, label]) => (
        <option key={field} value={field} selected={field === value}>
          {label}
        </option>
      ))}
      <option value={detail} selected={!isField && value !== ''}>
        {t.detail(detail)}
      </option>
      <option value="" selected={value === ''}>
        {t.leaveOut}
      </option>
    </select>
  );
}
