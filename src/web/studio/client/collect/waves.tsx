import { DateTime } from '../../../shared/client/date-time.tsx';
import { texts } from '../../texts.ts';
import type { Schema } from '../data/api.ts';
import { useQuery } from '../data/queries.ts';
import { QueryView } from '../data/query-view.tsx';

type Wave = Schema<'Wave'>;

const t = texts.collect;
const STATUS_CLASSES = { scheduled: 'chip wait', active: 'chip good', ended: 'chip' };

/** The waves of the survey and their quotas with progress. Nothing for a survey without waves. */
export function Waves({ surveyId }: { surveyId: number }) {
  const { data: waves = [] } = useQuery('/api/surveys/waves', {
    query: { survey_id: surveyId, limit: 100 },
  });
  if (waves.length === 0) return null;
  return (
    <>
      <section class="card" aria-labelledby="waves-title">
        <h2 id="waves-title">{t.waves}</h2>
        <div class="scroll" tabIndex={0} role="region" aria-labelledby="waves-title">
          <table class="table collect-table">
            <thead>
              <tr>
                <th scope="col">{t.wave}</th>
                <th scope="col">{t.starts}</th>
                <th scope="col">{t.ends}</th>
                <th scope="col">{t.progress}</th>
              </tr>
            </thead>
            <tbody>
              {waves.map((wave) => (
                <tr key={wave.wave_id}>
                  <th scope="row">
                    {wave.wave_name}{' '}
                    <span class={STATUS_CLASSES[wave.wave_status]}>{t.waveStatus[wave.wave_status]}</span>
                  </th>
                  <td>{wave.wave_start_date !== null && <DateTime at={wave.wave_start_date} />}</td>
                  <td>{wave.wave_end_date !== null && <DateTime at={wave.wave_end_date} isEnd />}</td>
                  <td>
                    <Progress completed={wave.completed} target={wave.target} label={wave.wave_name} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </section>
      {waves.map((wave) => (
        <WaveQuotas key={wave.wave_id} wave={wave} />
      ))}
    </>
  );
}

function WaveQuotas({ wave }: { wave: Wave }) {
  const query = useQuery('/api/surveys/waves/{id}/quotas', { path: { id: wave.wave_id } });
  const id = `quotas-${wave.wave_id}`;
  return (
    <QueryView query={query}>
      {({ quotas }) =>
        quotas.length > 0 && (
          <section class="card" aria-labelledby={id}>
            <h2 id={id}>{t.quotas(wave.wave_name)}</h2>
            <div class="scroll" tabIndex={0} role="region" aria-labelledby={id}>
              <table class="table collect-table">
                <thead>
                  <tr>
                    <th scope="col">{t.quota}</th>
                    <th scope="col">{t.cell}</th>
                    <th scope="col">{t.rule}</th>
                    <th scope="col">{t.progress}</th>
                  </tr>
                </thead>
                <tbody>
                  {quotas.flatMap((quota) =>
                    quota.cells.map((cell) => (
                      <tr key={cell.cell_id}>
                        <th scope="row">{quota.quota_name}</th>
                        <td>{cell.cell_label}</td>
                        <td class="soft">{cell.rule}</td>
                        <td>
                          <Progress completed={cell.completed} target={cell.target} label={cell.cell_label} />
                        </td>
                      </tr>
                    )),
                  )}
                </tbody>
              </table>
            </div>
          </section>
        )
      }
    </QueryView>
  );
}

function Progress({ completed, target, label }: { completed: number; target: number | null; label: string }) {
  return (
    <div class="collect-progress">
      <span>{t.ofTarget(completed, target)}</span>
      {target !== null && target > 0 && (
        <progress class="collect-bar" value={Math.min(completed, target)} max={target} aria-label={label} />
      )}
    </div>
  );
}
