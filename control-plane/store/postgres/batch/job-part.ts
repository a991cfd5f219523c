// The tables of jobs in the statement of a batch. The expressions of one statement do not see what the others change, so each computes
// what is left from the rows before the batch and those of the batch.
import type { JobWrites } from '#control-plane/store/job-rows.ts'
import { jsonOf } from './json.ts'
import { recordset, rowsAmong, type StatementPart, upsert } from './shape.ts'

const JOB = {
  ...{ seq: 'bigint', id: 'text', type: 'text', project_id: 'text', source: 'text', params: 'text', meta: 'text', status: 'text' },
  ...{ cancel_wanted: 'smallint', resumes: 'integer', interrupted: 'smallint', error_code: 'text', error: 'text', last_seq: 'bigint' },
  ...{ step_name: 'text', step_ordinal: 'integer', step_total: 'integer', created_at: 'bigint', updated_at: 'bigint' },
  finished_at: 'bigint',
}
const EVENT = { job_id: 'text', seq: 'bigint', created_at: 'bigint', kind: 'text', payload: 'text' }
const STEP = {
  ...{ job_id: 'text', name: 'text', ordinal: 'integer', state: 'text', key: 'text', task_id: 'text', result_key: 'text' },
  ...{ failure_code: 'text', failure: 'text' },
}
const RESULT = { key: 'text', kind: 'text', json: 'text', digest: 'text', bytes: 'bigint', cost_ms: 'bigint', used_at: 'bigint' }

/** Parameters by their place in `values`. */
const P = { jobs: 0, cleared: 1, reopened: 2, events: 3, trims: 4, results: 5, used: 6, steps: 7, removed: 8, orphans: 9 } as const

function sql(p: (index: number) => string): string {
  const ids = (name: 'cleared' | 'reopened' | 'removed' | 'orphans') => `${p(P[name])}::text[]`
  const put = (columns: object) => Object.keys(columns).join(', ')
  return `${upsert('put_job', p(P.jobs), { table: 'job', key: ['id'], columns: JOB })},
  new_event as materialized (select r.* from c, ${recordset(p(P.events), EVENT)}),
  trim as materialized (select r.* from c, ${recordset(p(P.trims), { job_id: 'text', kept: 'bigint' })}),
  kept_event as (
    select job_id, seq, kind from job_event where ${rowsAmong('job_event', 'job_id', 'array(select job_id from trim)')}
      and job_id <> all(${ids('cleared')}) and not (kind = 'terminal' and job_id = any(${ids('reopened')}))
    union all select job_id, seq, kind from new_event where job_id in (select job_id from trim)),
  counted_event as (
    select k.job_id, k.seq, k.kind, count(*) over (partition by k.job_id) - t.kept as surplus,
      max(k.seq) filter (where k.kind = 'progress') over (partition by k.job_id) as latest
    from kept_event k join trim t on t.job_id = k.job_id),
  -- 1: progress that a later one replaced, 2: other events, 3: terminal ones, which stay.
  ranked_event as (
    select job_id, seq, surplus, rank, row_number() over (partition by job_id, rank order by seq) as nth,
      count(*) filter (where rank = 1) over (partition by job_id) as replaced
    from (select *, case when kind = 'terminal' then 3 when kind = 'progress' and seq < latest then 1 else 2 end as rank from counted_event) e),
  surplus_event as materialized (
    select job_id, seq from ranked_event where (rank = 1 and nth <= surplus) or (rank = 2 and nth <= surplus - replaced)),
  drop_event as (
    delete from job_event e where exists (select from c)
      and ${rowsAmong('job_event', 'job_id', `${ids('cleared')} || ${ids('reopened')} || array(select job_id from trim)`)}
      and (e.job_id = any(${ids('cleared')}) or (e.kind = 'terminal' and e.job_id = any(${ids('reopened')}))
        or (e.job_id, e.seq) in (select job_id, seq from surplus_event))),
  put_event_of_job as (
    insert into job_event (cell, ${put(EVENT)}) select $1::text, ${put(EVENT)} from new_event n
    where (n.job_id, n.seq) not in (select job_id, seq from surplus_event)),
  new_step as materialized (select r.* from c, ${recordset(p(P.steps), STEP)}),
  drop_step as (
    delete from job_step s where ${rowsAmong('job_step', 'job_id', ids('removed'))} and exists (select from c)
      and not exists (select from new_step n where n.job_id = s.job_id and n.name = s.name)),
  -- Results that removed steps named, and that no remaining step names.
  orphan as materialized (
    select k.key from (
      select s.result_key as key from job_step s, c where ${rowsAmong('job_step', 'job_id', ids('removed'))} and s.result_key is not null
      union select unnest(${ids('orphans')}) from c) k
    where not exists (select from new_step n where n.result_key = k.key)
      and not exists (
        select from job_step s where s.cell = $1 and s.result_key = k.key and s.job_id <> all(${ids('removed')})
          and not exists (select from new_step n where n.job_id = s.job_id and n.name = s.name))),
  put_step as (
    insert into job_step (cell, ${put(STEP)}) select $1::text, ${put(STEP)} from new_step
    on conflict (cell, job_id, name) do update set ordinal = excluded.ordinal, state = excluded.state, key = excluded.key,
      task_id = excluded.task_id, result_key = excluded.result_key, failure_code = excluded.failure_code, failure = excluded.failure),
  put_result as (
    insert into step_result (cell, ${put(RESULT)})
    select $1::text, ${put(RESULT)} from c, ${recordset(p(P.results), RESULT)} where r.key not in (select key from orphan)
    on conflict (cell, key) do update set kind = step_result.kind, json = excluded.json, digest = excluded.digest, bytes = excluded.bytes,
      cost_ms = excluded.cost_ms, used_at = excluded.used_at),
  use_result as (
    update step_result set used_at = (${p(P.used)}::jsonb ->> key)::bigint
    where ${rowsAmong('step_result', 'key', `array(select jsonb_object_keys(${p(P.used)}::jsonb))`)} and exists (select from c)
      and key not in (select key from orphan)),
  drop_result as (delete from step_result where ${rowsAmong('step_result', 'key', 'array(select key from orphan)')})`
}

const isEmpty = (writes: JobWrites) =>
  writes.clearedJobs.size + writes.jobs.size + writes.reopenedJobs.size + writes.jobEvents.length + writes.trimmedEvents.size === 0 &&
  writes.stepResults.size + writes.usedResults.size + writes.jobSteps.size + writes.discardedSteps.size === 0

export const jobPart: StatementPart = {
  sql,
  values(writes) {
    if (isEmpty(writes)) return null
    const steps = [...writes.jobSteps.values()]
    const isDiscarded = ({ job_id }: { readonly job_id: string }) => writes.discardedSteps.has(job_id)
    const orphans = steps.filter(isDiscarded).flatMap(({ result_key }) => result_key ?? [])
    const results = [...writes.stepResults.values()].map((row) => ({ ...row, used_at: writes.usedResults.get(row.key) ?? row.used_at }))
    const used = [...writes.usedResults].filter(([key]) => !writes.stepResults.has(key))
    return [
      jsonOf([...writes.jobs.values()]),
      [...writes.clearedJobs],
      [...writes.reopenedJobs],
      jsonOf(writes.jobEvents),
      jsonOf([...writes.trimmedEvents].map(([job_id, kept]) => ({ job_id, kept }))),
      jsonOf(results),
      jsonOf(Object.fromEntries(used)),
      jsonOf(steps.filter((row) => !isDiscarded(row))),
      [...writes.clearedJobs, ...writes.discardedSteps],
      orphans,
    ]
  },
}
