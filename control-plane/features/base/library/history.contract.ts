// The history of takes.
import { z } from 'zod'
import { contract } from '#control-plane/http/contract/contract.ts'
import { booleanText } from '#control-plane/http/input/boolean-text.ts'
import { ROUTINGS } from '#control-plane/inference/notice.ts'

/** Formats of the file of a take. */
export const TAKE_FORMATS = ['wav', 'mp3', 'flac', 'opus', 'm4a'] as const
export type TakeFormat = (typeof TAKE_FORMATS)[number]

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
const Query = z.object({
  before: z.string().min(1).max(64).optional(),
  q: z.string().max(200).optional(),
  starred: booleanText().optional(),
  limit: z.coerce.number().int().min(1).max(200).optional(),
})
const Counts = z
  .object({
    takes: z.int(),
    starred: z.int(),
    /** Number of takes that are kept; 0 for all. */
    cap: z.int(),
    /** Takes that the next one removes. */
    next_removes: z.int(),
    /** Formats in which a take can be downloaded here. */
    formats: z.array(z.enum(TAKE_FORMATS)),
  })
  .meta({ id: 'TakeCounts' })

export const historyContracts = {
  listHistory: contract({
    id: 'library.listHistory',
    method: 'GET',
    path: '/history',
    access: 'consume',
    summary:
      'Lists the newest 50 takes and every starred take, newest first. Extensions: with before (the id of the last take of the page before), q (words of the text), starred or limit (at most 200, default 50), only the takes that match.',
    query: Query,
    reply: z.array(Row),
  }),
  clearHistory: contract({
    id: 'library.clearHistory',
    method: 'DELETE',
    path: '/history',
    access: 'own',
    summary:
      'Deletes every take and its file, including starred takes. Extension: with keep_starred=true they stay. For 60 s the takes can come back.',
    query: z.object({ keep_starred: booleanText().default(false) }),
    reply: z.object({ cleared: z.literal(true) }),
  }),
  undeleteAll: contract({
    id: 'library.undeleteAll',
    method: 'POST',
    path: '/history/undelete',
    access: 'admin',
    summary: 'Brings back the takes that DELETE /history removed within the last 60 s, unless the studio was started since.',
    extension: true,
    reply: z.object({ restored: z.int() }),
  }),
  countTakes: contract({
    id: 'library.countTakes',
    method: 'GET',
    path: '/history/counts',
    access: 'consume',
    summary: 'How many takes there are and are kept, and the formats in which they can be downloaded.',
    extension: true,
    reply: Counts,
  }),
  readTake: contract({
    id: 'library.readTake',
    method: 'GET',
    path: '/history/{history_id}',
    access: 'consume',
    of: { kind: 'take', param: 'history_id' },
    summary: 'One take.',
    extension: true,
    params: Path,
    reply: Row,
  }),
  readTakeFile: contract({
    id: 'library.readTakeFile',
    method: 'GET',
    path: '/history/{history_id}/file',
    access: 'consume',
    of: { kind: 'take', param: 'history_id' },
    summary: 'Returns the sound of a take in a format, as a file that is named after its text.',
    extension: true,
    params: Path,
    query: z.object({ format: z.enum(TAKE_FORMATS).default('wav') }),
    media: ['audio/wav', 'audio/mpeg', 'audio/flac', 'audio/ogg', 'audio/mp4'],
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
    summary: 'Deletes a take, and its file when no other take uses it. For 60 s it can come back.',
    params: Path,
    reply: z.object({ deleted: z.literal(true) }),
  }),
  undeleteTake: contract({
    id: 'library.undeleteTake',
    method: 'POST',
    path: '/history/{history_id}/undelete',
    access: 'consume',
    of: { kind: 'take', param: 'history_id' },
    summary: 'Brings back a take that was deleted within the last 60 s, unless the studio was started since.',
    extension: true,
    params: Path,
    reply: z.object({ id: z.string(), restored: z.literal(true) }),
  }),
}
