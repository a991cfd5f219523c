// Dubs in the data of a studio that has not started yet, for requests that need no film: with lines and a track, without sound, and many more.

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createDubStore } from '#control-plane/features/dubbing/store/dub-store.ts'
import { createFileRows } from '#control-plane/features/dubbing/store/files/file.store.ts'
import type { FilmProbe } from '#control-plane/media/film/probe/probe.rules.ts'
import { dubLine } from '#test/support/builders/dub-line.ts'
import { openTestDatabase } from '#test/support/starting/database.ts'

export const LINES = ['Guten Morgen.', 'Wie geht es dir?']
/** Bytes of the film of `whole`, which no program can read. */
export const FILM = 'not a film'
export const OTHERS = 31
const SECOND = 1_000_000
const CHECK = { drift: 0.25, flagged: true, recognized: 'wie', measured_start_us: 3.5 * SECOND, measured_end_us: null, faults: ['words'] }
const digest = (letter: string) => letter.repeat(64)
const VIDEO = { position: 0, width: 160, height: 90, durationUs: 10 * SECOND, frameRate: { numerator: 25, denominator: 1 } }
const PROBE = { kind: 'video', audio: [{ position: 0 }], defaultAudio: 0, chapters: [], video: VIDEO } as unknown as FilmProbe

/** `whole` is the newest dub; the film of `lost` is not there; the sound of `bare` is not extracted. `other00` is the oldest. */
export function addDubs(dataDir: string): void {
  const files = join(dataDir, 'dub_store', 'files')
  mkdirSync(files, { recursive: true, mode: 0o700 })
  writeFileSync(join(files, digest('a')), FILM)
  const db = openTestDatabase(join(dataDir, 'studio.db'))
  try {
    const [store, rows] = [createDubStore({ db }), createFileRows({ db })]
    const now = Date.now()
    const names = Array.from({ length: OTHERS }, (_, at) => `other${String(at).padStart(2, '0')}`)
    const sound = { durationUs: 10 * SECOND, sound: digest('b'), speech: digest('c') }
    for (const [at, id] of [...names, 'lost', 'bare', 'whole'].entries()) {
      const sourceDigest = digest(id === 'lost' ? 'd' : 'a')
      store.dubs.create({ id, filename: 'Film.mp4', inputType: 'video', sourceDigest, createdAt: now - 60_000 + at })
      if (id === 'bare') continue
      store.dubs.change(id, { probe: PROBE, sound, sourceLang: 'de', fullTranscript: LINES.join(' ') })
    }
    rows.add({ digest: digest('a'), kind: 'source', bytes: FILM.length, detail: '{}', maker: 'test', used_at: now })
    rows.use('whole', digest('a'))
    const lines = LINES.map((text, at) => {
      const times = { startUs: 3 * at * SECOND, endUs: (3 * at + 2) * SECOND }
      return dubLine({ id: `s0000${at}`, ...times, text, ...(at === 0 ? { profileId: 'auto:Speaker 1' } : { qc: CHECK }) })
    })
    for (const id of ['whole', 'lost']) store.segments.replace(id, lines)
    store.segments.setTexts('whole', 'en', { s00000: 'Good morning.' })
    const track = { languageCode: 'en', language: 'English', digest: digest('e'), durationUs: 10 * SECOND, plan: { lines: [] } }
    for (const [languageCode, timingStrategy] of [
      ['en', 'smart_fit'],
      ['fr', 'stretch_video'],
    ] as const)
      store.tracks.setTrack('whole', { ...track, languageCode, takeKeys: [], fitFp: 'f'.repeat(16), timingStrategy, createdAt: now })
  } finally {
    db.close()
  }
}
