import type { Database } from '../db/connect.ts';
import { countOf, rowOf, rowsOf } from '../db/rows.ts';
import { ColumnCatalog } from '../domain/dataset/columns/column-catalog.ts';
import type { ColumnSpec, ColumnValue } from '../domain/dataset/columns/column-spec.ts';
import type { DerivedColumn } from '../domain/dataset/columns/derived-column.ts';
import type { DerivedDefinition } from '../domain/derived/definition.ts';
import type { FrozenValues } from '../domain/derived/frozen-column.ts';
import { UTC } from '../lib/time-zone.ts';
import type { SurveyDefinition } from '../domain/survey/definition.ts';
import { BY_START } from './waves.ts';

/** What can be changed of a derived column, deleted or not. */
export interface DerivedColumnFields {
  column_code: string;
  label: string;
  column_type: ColumnSpec['type'];
  measure: ColumnSpec['measure'];
  column_values: ColumnValue[];
  date_precision: ColumnSpec['precision'];
  definition: DerivedDefinition;
  sources: string[];
  deleted_at: string | null;
}

export interface DerivedColumnRow extends DerivedColumnFields {
  column_id: number;
  version: number;
  created_by: number | null;
  created_at: string;
  updated_at: string;
}

/** What a survey's data have beside its questions. */
export interface CurrentColumns {
  revision: number;
  columns: DerivedColumnRow[];
  /** What the column `wave_id` may say, in the order of time. */
  waves: ColumnValue[];
  /** The survey's, by its IANA name. */
  timeZone: string;
}

const FIELD_NAMES = [
  'column_code',
  'label',
  'column_type',
  'measure',
  'column_values',
  'date_precision',
  'definition',
  'sources',
  'deleted_at',
] as const satisfies (keyof DerivedColumnFields)[];
const FIELDS = FIELD_NAMES.join(', ');

/** Values of one statement: 65,536 responses make a megabyte. */
const ROWS_PER_PART = 65_536;

/** The definitions of derived columns, and the values of those that are frozen. */
export class DerivedColumnRepository {
  private readonly db: Database;

  constructor(db: Database) {
    this.db = db;
  }

  /** Those that are not deleted, in the order in which they were made, and the revision they were read at. */
  async current(surveyId: number): Promise<CurrentColumns> {
    const row = await rowOf<CurrentColumns>(
      this.db,
      `SELECT s.columns_revision AS revision, s.time_zone AS "timeZone", coalesce(
         (SELECT json_agg(d ORDER BY d.column_id) FROM derived_columns d
          WHERE d.survey_id = s.survey_id AND d.deleted_at IS NULL), '[]') AS columns, coalesce(
         (SELECT json_agg(json_build_object('code', v.wave_id, 'value', v.wave_id::text, 'label', v.wave_name,
            'missing', false) ORDER BY ${BY_START})
          FROM waves v WHERE v.survey_id = s.survey_id AND v.deleted_at IS NULL), '[]') AS waves
       FROM surveys s WHERE s.survey_id = ?`,
      [surveyId],
    );
    return row ?? { revision: 0, columns: [], waves: [], timeZone: UTC };
  }

  /** The id that the next column has. */
  async reserveId(): Promise<number> {
    const row = await rowOf<{ id: number }>(this.db, `SELECT nextval('derived_column_ids') AS id`);
    return row!.id;
  }

  /** What a column is now, deleted or not; null when it never was. */
  async fields(surveyId: number, columnId: number): Promise<DerivedColumnFields | null> {
    return rowOf(this.db, `SELECT ${FIELDS} FROM derived_columns WHERE survey_id = ? AND column_id = ?`, [
      surveyId,
      columnId,
    ]);
  }

  /** Makes the column, or makes it this. Readers notice by its version and the survey's columns_revision. */
  async put(
    surveyId: number,
    columnId: number,
    userId: number | null,
    fields: DerivedColumnFields,
  ): Promise<void> {
    await countOf(
      this.db,
      `INSERT INTO derived_columns AS d (survey_id, column_id, created_by, ${FIELDS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (survey_id, column_id) DO UPDATE SET column_code = excluded.column_code, label = excluded.label,
         column_type = excluded.column_type, measure = excluded.measure, column_values = excluded.column_values,
         date_precision = excluded.date_precision, definition = excluded.definition, sources = excluded.sources,
         deleted_at = excluded.deleted_at, version = d.version + 1, updated_at = now()`,
      [
        surveyId,
        columnId,
        userId,
        fields.column_code,
        fields.label,
        fields.column_type,
        fields.measure,
        JSON.stringify(fields.column_values),
        fields.date_precision,
        JSON.stringify(fields.definition),
        JSON.stringify(fields.sources),
        fields.deleted_at,
      ],
    );
    await this.raiseRevision(surveyId);
  }

  private async raiseRevision(surveyId: number): Promise<void> {
    await countOf(this.db, `UPDATE surveys SET columns_revision = columns_revision + 1 WHERE survey_id = ?`, [
      surveyId,
    ]);
  }

  async freeze(
    surveyId: number,
    columnId: number,
    valuesVersion: number,
    { responseIds, cells }: FrozenValues,
  ): Promise<void> {
    for (let start = 0, part = 0; start < responseIds.length; start += ROWS_PER_PART, part++) {
      await countOf(
        this.db,
        `INSERT INTO frozen_values (survey_id, column_id, values_version, part, response_ids, cells)
         VALUES (?, ?, ?, ?, decode(?, 'base64'), decode(?, 'base64'))`,
        [
          surveyId,
          columnId,
          valuesVersion,
          part,
          packed(responseIds.subarray(start, start + ROWS_PER_PART)),
          packed(cells.subarray(start, start + ROWS_PER_PART)),
        ],
      );
    }
  }

  async frozen(surveyId: number, columnId: number, valuesVersion: number): Promise<FrozenValues[]> {
    const rows = await rowsOf<{ response_ids: Buffer; cells: Buffer }>(
      this.db,
      `SELECT response_ids, cells FROM frozen_values WHERE survey_id = ? AND column_id = ? AND values_version = ? ORDER BY part`,
      [surveyId, columnId, valuesVersion],
    );
    return rows.map((row) => ({ responseIds: unpacked(row.response_ids), cells: unpacked(row.cells) }));
  }
}

/** What can be changed of it, in a fixed order. */
export function derivedFieldsOf(row: DerivedColumnRow): DerivedColumnFields {
  const picked: unknown = Object.fromEntries(FIELD_NAMES.map((name) => [name, row[name]]));
  return picked as Pick<DerivedColumnRow, (typeof FIELD_NAMES)[number]>;
}

export function derivedColumnOf(row: DerivedColumnRow): DerivedColumn {
  return {
    columnId: row.column_id,
    version: row.version,
    definition: row.definition,
    sources: row.sources,
    spec: {
      columnCode: row.column_code,
      label: row.label,
      questionId: null,
      type: row.column_type,
      measure: row.measure,
      source: row.definition.kind === 'weight' ? 'weight' : 'derived',
      values: row.column_values,
      editable: false,
      retired: false,
      precision: row.date_precision,
    },
  };
}

/** Every column of a survey's data, by what is now beside its questions. */
export const catalogOf = (
  definition: SurveyDefinition,
  { columns, waves, timeZone }: Pick<CurrentColumns, 'columns' | 'waves' | 'timeZone'>,
): ColumnCatalog => new ColumnCatalog(definition, columns.map(derivedColumnOf), waves, timeZone);

function packed(values: Float64Array): string {
  const bytes = Buffer.alloc(values.length * 8);
  for (let index = 0; index < values.length; index++) bytes.writeDoubleLE(values[index]!, index * 8);
  return bytes.toString('base64');
}

function unpacked(bytes: Buffer): Float64Array {
  const values = new Float64Array(bytes.length / 8);
  for (let index = 0; index < values.length; index++) values[index] = bytes.readDoubleLE(index * 8);
  return values;
}
