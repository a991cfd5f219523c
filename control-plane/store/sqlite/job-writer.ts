// The rows of jobs of one batch as statements, table by table in the order of `JobWrites`.
import type { Database } from '../database.ts'
import type { JobWrites } from '../job-rows.ts'

export function createJobWriter(db: Database): (writes: JobWrites) => void {
  const putJob = db.prepare(`insert into job (seq, id, type, project_id, source, params, meta, status, cancel_wanted, resumes, interrupted,
      error_code, error, last_seq, step_name, step_ordinal, step_total, created_at, updated_at, finished_at)
    values (@seq, @id, @type, @project_id, @source, @params, @meta, @status, @cancel_wanted, @resumes, @interrupted,
      @error_code, @error, @last_seq, @step_name, @step_ordinal, @step_total, @created_at, @updated_at, @finished_at)
    on conflict (id) do update set seq = @seq, type = @type, project_id = @project_id, source = @source, params = @params, meta = @meta, status = @status,
      cancel_wanted = @cancel_wanted, resumes = @resumes, interrupted = @interrupted, error_code = @error_code, error = @error,
      last_seq = @last_seq, step_name = @step_name, step_ordinal = @step_ordinal, step_total = @step_total, created_at = @created_at,
      updated_at = @updated_at, finished_at = @finished_at`)
  const appendEvent = db.prepare(
    'insert into job_event (job_id, seq, created_at, kind, payload) values (@job_id, @seq, @created_at, @kind, @payload)',
  )
  const countEvents = db.prepare<[string], number>('select count(*) from job_event where job_id = ?').pluck()
  const dropProgress = db.prepare(`delete from job_event where job_id = @id and seq in (
      select seq from job_event where job_id = @id and kind = 'progress'
        and seq < (select max(seq) from job_event where job_id = @id and kind = 'progress') order by seq limit @count)`)
  const dropOldest = db.prepare(`delete from job_event where job_id = @id and seq in (
      select seq from job_event where job_id = @id and kind <> 'terminal' order by seq limit @count)`)
  const dropEnd = db.prepare("delete from job_event where job_id = ? and kind = 'terminal'")
  const dropEvents = db.prepare('delete from job_event where job_id = ?')
  const putResult = db.prepare(`insert into step_result (key, kind, json, digest, bytes, cost_ms, used_at)
    values (@key, @kind, @json, @digest, @bytes, @cost_ms, @used_at) on conflict (key) do update set
      json = @json, digest = @digest, bytes = @bytes, cost_ms = @cost_ms, used_at = @used_at`)
  const useResult = db.prepare('update step_result set used_at = ? where key = ?')
  const putStep = db.prepare(`insert into job_step (job_id, name, ordinal, state, key, task_id, result_key, failure_code, failure)
    values (@job_id, @name, @ordinal, @state, @key, @task_id, @result_key, @failure_code, @failure)
    on conflict (job_id, name) do update set ordinal = @ordinal, state = @state, key = @key, task_id = @task_id,
      result_key = @result_key, failure_code = @failure_code, failure = @failure`)
  const resultKeys = db.prepare<[string], string>('select result_key from job_step where job_id = ? and result_key is not null').pluck()
  const dropSteps = db.prepare('delete from job_step where job_id = ?')
  const dropOrphan = db.prepare('delete from step_result where key = @key and not exists (select 1 from job_step where result_key = @key)')

  /** Returns the keys of the results that the removed steps named. */
  function removeSteps(id: string): string[] {
    const keys = resultKeys.all(id)
    dropSteps.run(id)
    return keys
  }

  function trim(id: string, kept: number): void {
    const surplus = () => countEvents.get(id)! - kept
    if (surplus() > 0) dropProgress.run({ id, count: surplus() })
    if (surplus() > 0) dropOldest.run({ id, count: surplus() })
  }

  return (writes) => {
    const orphans: string[] = []
    for (const id of writes.clearedJobs) {
      dropEvents.run(id)
      orphans.push(...removeSteps(id))
    }
    for (const row of writes.jobs.values()) putJob.run(row)
    for (const id of writes.reopenedJobs) dropEnd.run(id)
    for (const row of writes.jobEvents) appendEvent.run(row)
    for (const [id, kept] of writes.trimmedEvents) trim(id, kept)
    for (const row of writes.stepResults.values()) putResult.run(row)
    for (const [key, at] of writes.usedResults) useResult.run(at, key)
    for (const row of writes.jobSteps.values()) putStep.run(row)
    for (const id of writes.discardedSteps) orphans.push(...removeSteps(id))
    for (const key of orphans) dropOrphan.run({ key })
  }
}
