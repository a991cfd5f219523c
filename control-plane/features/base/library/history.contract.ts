// The history of takes.
import { z } from 'zod'
import { contract } from '#control-plane/http/contract/contract.ts'
import { ROUTINGS } from '#control-plane/inference/notice.ts'

const Row = z
  .object({
    id: z.string(),
    text: z.string(),
    mode: z.string(),
    language: z.string(),
    instruct: z.string(),
    profile_id: z.string(),
    audio_path: z.string(),
    duration_seconds: z.number(),
    generation_time: z.number(),
    seed: z.number(),
    starred: z.union([z.literal(0), z.literal(1)]),
    created_at: z.number(),
    // Extensions: the engine, the voice that spoke ('' if unknown), the notice about a substitute and its kind, and the size.
    engine: z.string(),
    voice: z.string(),
    notice: z.string(),
    /** Same as in the header X-Svc-Routing; `stand_in`: another engine than the requested one spoke. '' without a notice. */
    routing: z.enum([...ROUTINGS, '']),
    /** Size of the audio file. */
    size_bytes: z.int(),
  })
  .meta({ id: 'HistoryRow' })
export type HistoryRow = z.output<typeof Row>
const Path = z.strictObject({ history_id: z.string().max(64) })

export const historyContracts = {
  listHistory: contract({
    id: 'library.listHistory',
    method: 'GET',
    path: '/history',
    access: 'consume',
    summary: 'Lists the newest 50 takes and every starred take, newest first.',
    reply: z.array(Row),
  }),
  clearHistory: contract({
    id: 'library.clearHistory',
    method: 'DELETE',
    path: '/history',
    access: 'admin',
    summary: 'Deletes every take and its file, including starred takes.',
    reply: z.object({ cleared: z.literal(true) }),
  }),
  starTake: contract({
    id: 'library.starTake',
    method: 'PUT',
    path: '/history/{history_id}/starred',
    access: 'consume',
    of: { kind: 'take', param: 'history_id' },
    summary: 'Stars or unstars a take. Starred takes are never pruned and always listed.',
    params: Path,
    body: z.strictObject({ starred: z.boolean() }),
    reply: z.object({ id: z.string(), starred: z.boolean() }),
  }),
  removeTake: contract({
    id: 'library.removeTake',
    method: 'DELETE',
    path: '/history/{history_id}',
    access: 'consume',
    of: { kind: 'take', param: 'history_id' },
    summary: 'Deletes a take, and its file when no other take uses it.',
    params: Path,
    reply: z.object({ deleted: z.literal(true) }),
  }),
}
