/**
 * Row-level replacements for the statement-level triggers with transition tables of the migrations 0004-responses and 0005-response-
 * counters. Citus supports only this form. Each row costs one statement per counter that it changes, where a batch cost one in total.
 */
export const ROW_TRIGGERS: readonly string[] = [
  ...['count', 'wave', 'quota'].flatMap((kind) =>
    ['inserted', 'updated', 'deleted'].map((event) => `DROP TRIGGER responses_${kind}_${event} ON responses`),
  ),
  'DROP TRIGGER responses_note_changed ON responses',
  `CREATE OR REPLACE FUNCTION note_response_row(survey bigint, link bigint, wave bigint, cells bigint[], status text, reason text, sign integer)
   RETURNS void LANGUAGE plpgsql AS $$
   DECLARE
     slot_of_connection integer := pg_backend_pid() % 64;
     completes integer := CASE WHEN status = 'complete' THEN sign ELSE 0 END;
   BEGIN
     INSERT INTO public.response_counts AS c (survey_id, link_id, slot, response_count, complete_count)
     VALUES (survey, coalesce(link, 0), slot_of_connection, sign, completes)
     ON CONFLICT (survey_id, link_id, slot) DO UPDATE SET
       response_count = c.response_count + excluded.response_count, complete_count = c.complete_count + excluded.complete_count;
     IF wave IS NOT NULL THEN
       INSERT INTO public.wave_counts AS c (survey_id, wave_id, slot, partial, complete, screened_out)
       VALUES (survey, wave, slot_of_connection, CASE WHEN status = 'partial' THEN sign ELSE 0 END, completes,
         CASE WHEN status = 'screened_out' THEN sign ELSE 0 END)
       ON CONFLICT (survey_id, wave_id, slot) DO UPDATE SET partial = c.partial + excluded.partial,
         complete = c.complete + excluded.complete, screened_out = c.screened_out + excluded.screened_out;
     END IF;
     IF cells IS NOT NULL AND (status = 'complete' OR status = 'screened_out' AND reason = 'over_quota') THEN
       UPDATE public.quota_cells SET completed = completed + completes, over_quota = over_quota + sign - completes
       WHERE survey_id = survey AND cell_id = ANY(cells);
     END IF;
   END $$`,
  `CREATE OR REPLACE FUNCTION note_response_rows() RETURNS trigger LANGUAGE plpgsql AS $$
   DECLARE
     was boolean := false;
     is_now boolean := false;
   BEGIN
     IF TG_OP <> 'INSERT' THEN was := OLD.deleted_at IS NULL AND NOT OLD.is_test; END IF;
     IF TG_OP <> 'DELETE' THEN is_now := NEW.deleted_at IS NULL AND NOT NEW.is_test; END IF;
     IF was AND is_now AND (OLD.link_id, OLD.wave_id, OLD.quota_cells, OLD.response_status, OLD.status_reason)
         IS NOT DISTINCT FROM (NEW.link_id, NEW.wave_id, NEW.quota_cells, NEW.response_status, NEW.status_reason) THEN
       RETURN NULL;
     END IF;
     IF was THEN
       PERFORM public.note_response_row(OLD.survey_id, OLD.link_id, OLD.wave_id, OLD.quota_cells, OLD.response_status, OLD.status_reason, -1);
     END IF;
     IF is_now THEN
       PERFORM public.note_response_row(NEW.survey_id, NEW.link_id, NEW.wave_id, NEW.quota_cells, NEW.response_status, NEW.status_reason, 1);
       IF NEW.response_status = 'complete' AND NEW.wave_id IS NOT NULL AND NEW.quota_cells IS NULL
           AND (TG_OP = 'INSERT' OR OLD.response_status <> 'complete') THEN
         PERFORM pg_advisory_xact_lock_shared(hashtextextended('quotas of wave ' || NEW.wave_id, 0));
         IF EXISTS (SELECT FROM public.waves WHERE wave_id = NEW.wave_id AND quota_revision > 0) THEN
           RAISE EXCEPTION 'the wave has quotas by now' USING ERRCODE = '40001';
         END IF;
       END IF;
     END IF;
     RETURN NULL;
   END $$`,
  `CREATE OR REPLACE FUNCTION note_sealed_xid() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     NEW.sealed_xid := pg_current_xact_id();
     RETURN NEW;
   END $$`,
  // The default would be the transaction id of the coordinator, which has no meaning on the server of the row.
  `CREATE TRIGGER responses_note_changed BEFORE INSERT OR UPDATE ON responses FOR EACH ROW EXECUTE FUNCTION note_changed_xid()`,
  `CREATE TRIGGER responses_note_rows AFTER INSERT OR UPDATE OR DELETE ON responses FOR EACH ROW EXECUTE FUNCTION note_response_rows()`,
  // Not on INSERT: a row that moves to another server must not look like a column snapshot of that server.
  `CREATE TRIGGER survey_segments_note_sealed BEFORE UPDATE ON survey_segments FOR EACH ROW EXECUTE FUNCTION note_sealed_xid()`,
];
