// Reads the state that decisions need from the tables at the start.
import type { Database } from '../database.ts'
import type { JournalState } from '../journal.ts'
import type { AuditRow, BreakerRow, ConsentRow, JoinTokenRow, StoredWorker, TaskRow } from '../rows.ts'
import { readJobState } from './job-reads.ts'

export function readState(db: Database): JournalState {
  const all = <T>(sql: string) => db.prepare<[], T>(sql).all()
  const settings = all<{ key: string; value: string }>('select key, value from setting')
  return {
    tasks: all<TaskRow>('select * from task where finished_at is null order by seq'),
    lastSeq: db.prepare<[], number>('select coalesce(max(seq), 0) from task').pluck().get()!,
    settings: new Map(settings.map(({ key, value }) => [key, value])),
    workers: all<StoredWorker>('select * from worker'),
    consents: all<ConsentRow>('select * from consent where withdrawn_at is null'),
    joinTokens: all<JoinTokenRow>('select * from join_token'),
    breakers: all<BreakerRow>(
      'select worker_id as workerId, model_key as modelKey, state, trips, retry_at as retryAt, reason from breaker',
    ),
    auditHead: all<Pick<AuditRow, 'seq' | 'digest'>>('select seq, digest from audit order by seq desc limit 1')[0] ?? null,
    ...readJobState(db),
  }
}
