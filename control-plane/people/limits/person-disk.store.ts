// The bytes that the work of one person has on the disk of the studio.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from '#control-plane/store/database.ts'

type Deps = {
  readonly db: Database
  readonly dataDir: string
}
export type PersonDisk = ReturnType<typeof createPersonDisk>

/** Bytes of a second of a take: 16 bits at 24 kHz, once for the take and once for the parts that it was spoken in. */
const TAKE_BYTES_PER_SECOND = 2 * 48_000
/** Bytes of a second of a book: 128 kbit, and as much for its chapters. */
const BOOK_BYTES_PER_SECOND = 2 * 16_000

const of = (kind: string): string => `select made_by.id from made_by where made_by.client = @client and made_by.kind = '${kind}'`

/** Sums of the columns that have sizes. Takes and books are counted by their length, so that a list of thousands costs no look at the disk. */
const SUM = `select
  coalesce((select sum(duration_seconds) * ${TAKE_BYTES_PER_SECOND} from generation_history where id in (${of('take')})), 0)
  + coalesce((select sum(length(state_json)) from studio_projects where id in (${of('project')})), 0)
  + coalesce((select sum(ref_bytes + original_bytes + coalesce(locked_bytes, 0)) from voice_profile where id in (${of('voice')})), 0)
  + coalesce((select sum(audio_bytes + original_bytes) from gallery_clip where id in (${of('clip')})), 0)
  + coalesce((select sum(duration_s) * ${BOOK_BYTES_PER_SECOND} from longform_book where job_id in (${of('job')})), 0)
  + coalesce((select sum(bytes) from dub_file where digest in (select digest from dub_use where dub_id in (${of('dub')}))), 0)`
/** Films as they were uploaded. */
const FILMS = `select source_digest from dub where id in (${of('dub')}) union select source_digest from dub_batch where id in (${of('dub')})`

export function createPersonDisk({ db, dataDir }: Deps) {
  const sum = db.prepare<{ client: string }, number>(SUM).pluck()
  const films = db.prepare<{ client: string }, string>(FILMS).pluck()
  /** Files never change under their digest. */
  const sizes = new Map<string, number>()

  function sizeOfFilm(digest: string): number {
    const known = sizes.get(digest)
    if (known !== undefined) return known
    const bytes = statSync(join(dataDir, 'dub_store', digest), { throwIfNoEntry: false })?.size
    if (bytes !== undefined) sizes.set(digest, bytes)
    return bytes ?? 0
  }

  return {
    bytesOf(personId: string): number {
      const client = `person:${personId}`
      const uploaded = films.all({ client }).reduce((total, digest) => total + sizeOfFilm(digest), 0)
      return Math.round(sum.get({ client })! + uploaded)
    },
  }
}
