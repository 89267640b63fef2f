import { anyOf } from '../db/any-of.ts';
import type { Database } from '../db/connect.ts';
import { queryRows } from '../db/rows.ts';
import type { Block } from '../domain/survey/blocks.ts';

interface SurveyKey {
  organizationId: number;
  surveyId: number;
}

/** The blocks of surveys. The caller of a method that writes holds the survey's lock. */
export class BlockRepository {
  constructor(private readonly db: Database) {}

  /** Returns ids for blocks that are about to be added, so that they can refer to each other. */
  async reserveIds(count: number): Promise<number[]> {
    // Raw SQL: reads the sequence of the key.
    const rows = await queryRows<{ id: number }>(
      this.db,
      `SELECT nextval(pg_get_serial_sequence('survey_blocks', 'block_id')) AS id FROM generate_series(1, ?)`,
      [count],
    );
    return rows.map((row) => row.id);
  }

  /** Adds the blocks; each after its parent. */
  async add({ organizationId, surveyId }: SurveyKey, blocks: readonly Block[]): Promise<void> {
    if (blocks.length === 0) return;
    await this.db('survey_blocks').insert(
      blocks.map((block) => ({
        block_id: block.id,
        organization_id: organizationId,
        survey_id: surveyId,
        ...toRow(block),
      })),
    );
  }

  async save({ organizationId, surveyId }: SurveyKey, block: Block): Promise<void> {
    await this.db('survey_blocks')
      .where({ organization_id: organizationId, survey_id: surveyId, block_id: block.id })
      .update({ ...toRow(block), retired: block.retired });
  }

  async remove({ organizationId, surveyId }: SurveyKey, blockId: number): Promise<void> {
    await this.db('survey_blocks')
      .where({ organization_id: organizationId, survey_id: surveyId, block_id: blockId })
      .delete();
  }

  /** Puts pages and blocks into another block, for every arm; null: into none. */
  async moveContents(
    { organizationId, surveyId }: SurveyKey,
    { pageIds, blockIds }: { pageIds: readonly number[]; blockIds: readonly number[] },
    blockId: number | null,
  ): Promise<void> {
    const owner = { organization_id: organizationId, survey_id: surveyId };
    await this.db('survey_pages')
      .where({ ...owner, page_id: anyOf(this.db, pageIds) })
      .update({ block_id: blockId, shown_to_arm: null });
    await this.db('survey_blocks')
      .where({ ...owner, block_id: anyOf(this.db, blockIds) })
      .update({ parent_block_id: blockId, shown_to_arm: null });
  }
}

const toRow = (block: Block) => ({
  block_code: block.code,
  block_title: block.title,
  parent_block_id: block.parentId,
  shown_to_arm: block.arm,
  block_arrangement: block.arrangement === null ? null : JSON.stringify(block.arrangement),
  arms: JSON.stringify(block.arms),
  arm_assignment: block.assignment,
  block_logic: block.logic === null ? null : JSON.stringify(block.logic),
  block_loop: block.loop === null ? null : JSON.stringify(block.loop),
});
