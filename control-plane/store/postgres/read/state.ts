// Reads the state that decisions need, after the term was taken: no other process writes it.
import type { JobStepRow, StepResultRow, StoredJob } from '#control-plane/store/job-rows.ts'
import type { JournalState } from '#control-plane/store/journal.ts'
import type { AuditRow, BreakerRow, ConsentRow, JoinTokenRow, StoredWorker, TaskRow } from '#control-plane/store/rows.ts'
import type { DatabaseConnection } from '../connection.ts'
import { NEEDED_JOBS } from './job-reads.ts'
import { LIVE_TASKS } from './task-reads.ts'

export async function readStateOf(connection: DatabaseConnection, cell: string): Promise<JournalState> {
  const all = <Row>(text: string) => connection.rows<Row>({ text, values: [cell] })
  const highest = async (table: 'task' | 'job') =>
    (await all<{ n: number }>(`select coalesce(max(seq), 0) as n from ${table} where cell = $1`))[0]!.n
  const settings = await all<{ key: string; value: string }>('select key, value from setting where cell = $1')
  const results = await all<StepResultRow>(NEEDED_JOBS.results)
  return {
    tasks: await all<TaskRow>(LIVE_TASKS),
    lastSeq: await highest('task'),
    settings: new Map(settings.map(({ key, value }) => [key, value])),
    workers: await all<StoredWorker>(`select id, name, pin, enabled, revoked_at, priority, endpoint, host, generation, renewal_nonce,
      quarantine, quarantined_at, resync, issuer, trusts, followed, created_at, last_seen_at, pool, lapsed from worker where cell = $1`),
    consents: await all<ConsentRow>(
      'select id, worker_id, granted_at, withdrawn_at, terms from consent where cell = $1 and withdrawn_at is null',
    ),
    joinTokens: await all<JoinTokenRow>(`select id, secret_digest, label, endpoint, worker_id, created_at, expires_at, used_at, used_by
      from join_token where cell = $1`),
    breakers: await all<BreakerRow>(`select worker_id as "workerId", model_key as "modelKey", state, trips, retry_at as "retryAt", reason
      from breaker where cell = $1`),
    auditHead:
      (await all<Pick<AuditRow, 'seq' | 'digest'>>('select seq, digest from audit where cell = $1 order by seq desc limit 1'))[0] ?? null,
    jobs: await all<StoredJob>(NEEDED_JOBS.jobs),
    jobSteps: await all<JobStepRow>(NEEDED_JOBS.steps),
    stepResults: new Map(results.map((row) => [row.key, row])),
    lastJobSeq: await highest('job'),
  }
}
