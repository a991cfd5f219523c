// Fills the database of a data directory with takes, jobs, projects and exports before the studio starts.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openDatabase } from '#control-plane/store/database.ts'
import { systemClock } from '#shared/runtime/clock.ts'

export type LibrarySize = {
  readonly takes: number
  readonly starred: number
  readonly jobs: number
  readonly eventsOfJob: number
  readonly exports: number
  readonly projects: number
  /** Characters of the state of each project. */
  readonly state: number
}
/** A job of every filled library, with all its events. */
export const LAST_JOB = 'last-job'

/** The takes share one file, which exists. Starred takes are the oldest ones, so that the list has to look for them. */
export function fillLibrary(dataDir: string, size: LibrarySize): void {
  mkdirSync(join(dataDir, 'outputs'), { recursive: true, mode: 0o700 })
  writeFileSync(join(dataDir, 'outputs', 'bench.wav'), 'RIFF')
  const now = systemClock.now()
  const db = openDatabase(join(dataDir, 'studio.db'))
  const numbers = (count: number) => `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})`
  db.transaction(() => {
    db.exec(`${numbers(size.takes)} insert into generation_history (id, seq, text, mode, language, instruct, profile_id, audio_path,
        duration_seconds, generation_time, seed, starred, created_at)
      select printf('%08x', i), i, 'A sentence of the usual length, as people write it.', 'design', 'en', '', '', 'bench.wav', 3.2, 0.41, i,
        i <= ${size.starred}, ${now / 1000} - (${size.takes} - i) * 60 from n`)
    db.exec(`${numbers(size.jobs)} insert into job (id, type, params, meta, status, last_seq, created_at, updated_at, finished_at)
      select case i when ${size.jobs} then '${LAST_JOB}' else printf('job-%d', i) end, 'take', '{}', '{"text":"x"}', 'done',
        ${size.eventsOfJob}, ${now}, ${now}, ${now} from n`)
    db.exec(`${numbers(size.eventsOfJob)} insert into job_event (job_id, seq, created_at, kind, payload)
      select id, i, ${now}, 'event', printf('data: {"type":"segment","index":%d,"text":"x"}', i) from n, job`)
    db.exec(`${numbers(size.exports)} insert into export_history (id, filename, destination_path, mode, created_at)
      select printf('%08x', i), 'bench.wav', '/srv/exports/bench.wav', 'history', ${now / 1000} from n`)
    db.exec(`${numbers(size.projects)} insert into studio_projects (id, name, created_at, updated_at, state_json)
      select printf('%08x', i), 'A project', ${now / 1000}, ${now / 1000} + i, '{"text":"' || printf('%.*c', ${size.state}, 'x') || '"}' from n`)
  })()
  db.close()
}
