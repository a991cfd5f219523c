// One object of each kind that a client can make, as rows of the database of a studio that does not run.
import { join } from 'node:path'
import { openDatabase } from '#control-plane/store/database.ts'
import { createMakers } from '#control-plane/store/sqlite/made-by.ts'
import { type ClientId, MADE_KINDS, type MadeKind } from '#shared/protocol/access/client.ts'
import { systemClock as clock } from '#shared/runtime/clock.ts'

const INSERTS: Readonly<Record<MadeKind, string>> = {
  take: `insert into generation_history (id, seq, text, mode, language, instruct, profile_id, audio_path, duration_seconds, generation_time,
    seed, starred, created_at) values (@id, (select coalesce(max(seq), 0) + 1 from generation_history), 'A secret text.', 'design', 'en', '', '',
    @id || '.wav', 1, 1, 0, 0, 1)`,
  project: `insert into studio_projects (id, name, created_at, updated_at, state_json) values (@id, 'A secret project', 1, 1, '{}')`,
  voice: `insert into voice_profile (id, name, kind, language, instruct, ref_text, personality, description, origin, created_at, updated_at)
    values (@id, 'A voice', 'design', 'en', 'male', '', '', '', 'own', 1, 1)`,
  clip: `insert into gallery_clip (id, name, character, category, description, source_type, audio_digest, audio_bytes, original_digest,
    original_bytes, original_name, duration, tags, stays_here, words, created_at)
    values (@id, 'A clip', '', '', '', 'upload', 'a', 1, 'b', 1, 'c', 1, '[]', 0, '', 1)`,
  term: `insert into glossary_terms (id, project_id, source, target, note, auto, created_at) values (@id, @id, 'secret', 'geheim', '', 0, 1)`,
  dub: `insert into dub (id, filename, input_type, source_digest, duration_us, sound_digest, speech_digest, created_at)
    values (@id, 'secret.mp4', 'video', printf('%064d', 0), 1000000, printf('%064d', 1), printf('%064d', 2), 1)`,
  job: `insert into job (seq, id, type, params, meta, status, created_at, updated_at, finished_at)
    values ((select coalesce(max(seq), 0) + 1 from job), @id, 'generate', '{}', '{"title":"A secret title"}', 'done', 1, 1, 1)`,
  export: `insert into export_history (id, filename, destination_path, mode, created_at) values (@id, 'secret.wav', '/secret', 'file', 1)`,
}

export type Planted = { readonly id: string; readonly kind: MadeKind; readonly madeBy: ClientId }

/** Before the start of the studio. */
export function plantObjects(dataDir: string, objects: readonly Planted[]): void {
  const db = openDatabase(join(dataDir, 'studio.db'))
  try {
    const makers = createMakers({ db, clock })
    const inserts = new Map(MADE_KINDS.map((kind) => [kind, db.prepare(INSERTS[kind])]))
    db.transaction(() => {
      for (const { id, kind, madeBy } of objects) {
        makers.record(kind, id, madeBy)
        inserts.get(kind)!.run({ id })
      }
    })()
  } finally {
    db.close()
  }
}
