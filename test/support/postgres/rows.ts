// Tasks for a journal without a ledger.
import type { TaskRow } from '#control-plane/store/rows.ts'

const ROW: TaskRow = {
  ...{ id: '', seq: 0, idempotency_key: null, body_digest: 'd', operation: 'probe', engine: 'probe', model: '', model_digest: '' },
  ...{ speaks: '', maker: '', machines: '', params: '{}', priority: 0, size: 2, ephemeral: 0, phase: 'queued', epoch: 0, attempt: 0 },
  ...{ max_attempts: 3, worker_id: null, attempt_id: null, target: 'auto', excluded: '[]', avoided: '[]', interrupted: null },
  ...{ stopping: null, failure_code: null, failure_message: null, deadline_at: 1, created_at: 1, updated_at: 1, finished_at: null },
  ...{ result: null, result_bytes: null, result_digest: null, result_size: null, inputs: '[]' },
}
export const poolTask = (seq: number, more: Partial<TaskRow> = {}): TaskRow => ({ ...ROW, seq, id: `task-${seq}`, ...more })
