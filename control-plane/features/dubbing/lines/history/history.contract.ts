import { z } from 'zod'
import { WholeDub } from '#control-plane/features/dubbing/store/forms.rules.ts'
import { contract } from '#control-plane/http/contract/contract.ts'
import { jsonText } from '#control-plane/http/contract/json-text.ts'

/** Letters, digits, `_` and `-`, at most 64. */
export const DubId = z.string().max(64)
const access = 'consume' as const
/** Limit of the list without the dubs themselves. */
const MAX_LISTED = 1_000
const DubRow = z
  .object({
    id: z.string(),
    filename: z.string(),
    duration: z.number(),
    segments_count: z.int(),
    language: z.string(),
    language_code: z.string(),
    tracks: jsonText(z.array(z.string())),
    job_data: jsonText(WholeDub),
    content_hash: z.string(),
    created_at: z.number(),
    /** Size of all files that the dub needs; files that other dubs need too count for each. An extension. */
    size_bytes: z.int(),
  })
  .meta({ id: 'DubHistoryRow' })
const DubSummary = DubRow.omit({ job_data: true }).meta({ id: 'DubSummary' })

export const dubHistoryContracts = {
  list: contract({
    id: 'dubbing.listHistory',
    method: 'GET',
    path: '/dub/history',
    access,
    summary: 'The newest 30 dubs. `tracks` and `job_data` are JSON texts.',
    reply: z.array(DubRow),
  }),
  summaries: contract({
    id: 'dubbing.listSummaries',
    method: 'GET',
    path: '/dub/summaries',
    extension: true,
    access,
    summary: 'The newest dubs without `job_data`, which has every line. `tracks` is a JSON text.',
    query: z.strictObject({ limit: z.coerce.number().int().min(1).max(MAX_LISTED).default(MAX_LISTED) }),
    reply: z.array(DubSummary),
  }),
  read: contract({
    id: 'dubbing.readHistory',
    method: 'GET',
    path: '/dub/history/{history_id}',
    extension: true,
    access,
    of: { kind: 'dub', param: 'history_id' },
    summary: 'One dub as a row of the history, however old it is.',
    params: z.strictObject({ history_id: z.string().max(128) }),
    reply: DubRow,
  }),
  clear: contract({
    id: 'dubbing.clearHistory',
    method: 'DELETE',
    path: '/dub/history',
    access: 'own',
    summary: 'Cancels the work of all dubs and deletes them with their files.',
    reply: z.object({ cleared: z.literal(true), count: z.int() }),
  }),
  remove: contract({
    id: 'dubbing.removeHistory',
    method: 'DELETE',
    path: '/dub/history/{history_id}',
    access,
    of: { kind: 'dub', param: 'history_id' },
    summary: 'Deletes a dub, also an unknown one. `dir_kept_for` lists other dubs that use the same files.',
    params: z.strictObject({ history_id: z.string().max(128) }),
    reply: z.object({ deleted: z.literal(true), dir_kept_for: z.array(z.string()) }),
  }),
  abort: contract({
    id: 'dubbing.abort',
    method: 'POST',
    path: '/dub/abort/{job_id}',
    access,
    of: { kind: 'dub', param: 'job_id' },
    summary: 'Cancels all work of a dub. Can be repeated.',
    params: z.strictObject({ job_id: z.string().max(128) }),
    reply: z.object({ aborted: z.literal(true), had_active_procs: z.boolean() }),
  }),
}
