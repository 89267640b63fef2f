import type { Database } from '../db/connect.ts';
import { queryRow } from '../db/rows.ts';
import { ColumnCatalog } from '../domain/dataset/column-catalog.ts';
import type { StoredColumnValue } from '../domain/columns/column-spec.ts';
import { withNumbers } from '../domain/columns/option-numbers.ts';
import type { DerivedColumn } from '../domain/derived/derived-column.ts';
import type { FrozenValues } from '../domain/derived/derive-column.ts';
import { requireValue } from '../lib/require-value.ts';
import { UTC } from '../lib/time-zone.ts';
import type { SurveyDefinition } from '../domain/survey/definition.ts';
import type { OptionAbsence } from '../domain/columns/option-absences.ts';
import type { DerivedColumnFields, DerivedColumnTable } from './tables/responses.ts';
import { BY_START } from './waves.ts';

/** A row as JSON: moments are ISO 8601. */
export interface DerivedColumnRow
  extends DerivedColumnFields, Pick<DerivedColumnTable, 'column_id' | 'version' | 'created_by'> {
  created_at: string;
  updated_at: string;
}

/** The columns of a survey's data that are not its questions'. */
export interface CurrentColumns {
  revision: number;
  columns: DerivedColumnRow[];
  /** The values of the column `wave_id`, in the order of time. */
  waves: StoredColumnValue[];
  /** IANA name of the survey's time zone. */
  timeZone: string;
  /** Options that published versions do not offer. */
  absences: OptionAbsence[];
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

/** Rows of one INSERT: ids and cells of 65,536 responses take a megabyte. */
const ROWS_PER_PART = 65_536;

/** The definitions of derived columns, and the values of those that are frozen. */
export class DerivedColumnRepository {
  constructor(private readonly db: Database) {}

  /** Columns that are not deleted, oldest first, and the revision at which they were read. */
  async loadCurrent(surveyId: number): Promise<CurrentColumns> {
    // Raw SQL: JSON aggregates over subqueries, so that columns and waves are read with the revision in one snapshot.
    const row = await queryRow<CurrentColumns>(
      this.db,
      `SELECT s.columns_revision AS revision, s.time_zone AS "timeZone", coalesce(
         (SELECT json_agg(d ORDER BY d.column_id) FROM derived_columns d
          WHERE d.survey_id = s.survey_id AND d.deleted_at IS NULL), '[]') AS columns, coalesce(
         (SELECT json_agg(json_build_object('code', v.wave_id, 'value', v.wave_id::text, 'label', v.wave_name,
            'missing', false) ORDER BY ${BY_START})
          FROM waves v WHERE v.survey_id = s.survey_id AND v.deleted_at IS NULL), '[]') AS waves, coalesce(
         (SELECT json_agg(json_build_object('questionId', a.question_id, 'optionCode', a.option_code, 'from', a.from_version,
            'to', a.to_version)) FROM option_absences a WHERE a.survey_id = s.survey_id), '[]') AS absences
       FROM surveys s WHERE s.survey_id = ?`,
      [surveyId],
    );
    return row ?? { revision: 0, columns: [], waves: [], timeZone: UTC, absences: [] };
  }

  /** The column_id of the next column. */
  async reserveId(): Promise<number> {
    // Raw SQL: the builder does not know sequences.
    const row = requireValue(
      await queryRow<{ id: number }>(this.db, `SELECT nextval('derived_column_ids') AS id`),
      'derived column id',
    );
    return row.id;
  }

  /** The fields of a column, deleted or not; null when it never existed. */
  async findFields(surveyId: number, columnId: number): Promise<DerivedColumnFields | null> {
    const fields = await this.db('derived_columns')
      .first(...FIELD_NAMES)
      .where({ survey_id: surveyId, column_id: columnId });
    return fields ?? null;
  }

  /** Creates or replaces the column. Readers notice by its version and the survey's columns_revision. */
  async saveColumn({
    surveyId,
    columnId,
    userId,
    fields,
  }: {
    surveyId: number;
    columnId: number;
    userId: number | null;
    fields: DerivedColumnFields;
  }): Promise<void> {
    const written = {
      column_code: fields.column_code,
      label: fields.label,
      column_type: fields.column_type,
      measure: fields.measure,
      column_values: JSON.stringify(
        fields.column_values.map(({ code, value, label, missing }) => ({ code, value, label, missing })),
      ),
      date_precision: fields.date_precision,
      definition: JSON.stringify(fields.definition),
      sources: JSON.stringify(fields.sources),
      deleted_at: fields.deleted_at === null ? null : new Date(fields.deleted_at),
    };
    await this.db('derived_columns')
      .insert({ survey_id: surveyId, column_id: columnId, created_by: userId, ...written })
      .onConflict(['survey_id', 'column_id'])
      .merge({
        ...written,
        version: this.db.raw('derived_columns.version + 1'),
        updated_at: this.db.fn.now(),
      });
    await this.db('surveys').where({ survey_id: surveyId }).increment('columns_revision', 1);
  }

  /** Stores the values of a frozen column under a version number that has none yet. */
  async saveFrozenValues({
    surveyId,
    columnId,
    valuesVersion,
    frozenValues: { responseIds, cells },
  }: {
    surveyId: number;
    columnId: number;
    valuesVersion: number;
    frozenValues: FrozenValues;
  }): Promise<void> {
    for (let start = 0, part = 0; start < responseIds.length; start += ROWS_PER_PART, part++) {
      await this.db('frozen_values').insert({
        survey_id: surveyId,
        column_id: columnId,
        values_version: valuesVersion,
        part,
        response_ids: packed(responseIds.subarray(start, start + ROWS_PER_PART)),
        cells: packed(cells.subarray(start, start + ROWS_PER_PART)),
      });
    }
  }

  /** The values of a frozen column in parts, in the order in which they were stored. */
  async listFrozenValues(surveyId: number, columnId: number, valuesVersion: number): Promise<FrozenValues[]> {
    const rows = await this.db('frozen_values')
      .select('response_ids', 'cells')
      .where({ survey_id: surveyId, column_id: columnId, values_version: valuesVersion })
      .orderBy('part');
    return rows.map((row) => ({ responseIds: unpacked(row.response_ids), cells: unpacked(row.cells) }));
  }
}

/** The fields of a column that a change can replace, in a fixed order. */
export function derivedFieldsOf(row: DerivedColumnRow): DerivedColumnFields {
  const fieldValues: unknown = Object.fromEntries(FIELD_NAMES.map((name) => [name, row[name]]));
  return fieldValues as Pick<DerivedColumnRow, (typeof FIELD_NAMES)[number]>;
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
      values: withNumbers(row.column_values),
      editable: false,
      retired: false,
      precision: row.date_precision,
    },
  };
}

/** Every column of a survey's data: its questions' and the current others. */
export const catalogOf = (
  definition: SurveyDefinition,
  { columns, waves, timeZone, absences }: Omit<CurrentColumns, 'revision'>,
): ColumnCatalog =>
  new ColumnCatalog(definition, columns.map(derivedColumnOf), {
    waves: withNumbers(waves),
    timeZone,
    absences,
  });

/** Little-endian float64. */
function packed(values: Float64Array): Buffer {
  const bytes = Buffer.alloc(values.length * 8);
  values.forEach((value, index) => bytes.writeDoubleLE(value, index * 8));
  return bytes;
}

function unpacked(bytes: Buffer): Float64Array {
  const values = new Float64Array(bytes.length / 8);
  for (let index = 0; index < values.length; index++) values[index] = bytes.readDoubleLE(index * 8);
  return values;
}
