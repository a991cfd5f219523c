// Puts lines, texts and spoken tracks into the data of a studio that does not run, with the code that the studio itself uses.

import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TimingStrategy } from '#control-plane/features/dubbing/store/dub.ts'
import { createDubStore } from '#control-plane/features/dubbing/store/dub-store.ts'
import { createFileRows } from '#control-plane/features/dubbing/store/files/file.store.ts'
import { placedTakes, TrackPlan } from '#control-plane/features/dubbing/store/files/track-plan.ts'
import { openDatabase } from '#control-plane/store/database.ts'
import { FIT_DEFAULTS, fitLines } from '#shared/timing/fit.ts'
import { film, never } from '#test/control-plane/media/film/corpus.ts'
import { speechWav } from '#test/support/archive/bundle.ts'
import { dubLine } from '#test/support/builders/dub-line.ts'

const TAKE_RATE = 24_000
const HEADER = 44
export type SpokenLine = { readonly id: string; readonly startUs: number; readonly endUs: number; readonly text: string }
export type Voice = {
  readonly code: string
  readonly language: string
  readonly strategy: TimingStrategy
  /** Seconds of speech and the text, by id. */
  readonly takes: Readonly<Record<string, readonly [seconds: number, text: string]>>
  /** True if the track itself is there, and not only its takes. */
  readonly hasTrack: boolean
}
export type VoicedDub = { readonly id: string; readonly lines: readonly SpokenLine[]; readonly voices: readonly Voice[] }

export async function addVoices(dataDir: string, dubs: readonly VoicedDub[]): Promise<void> {
  const db = openDatabase(join(dataDir, 'studio.db'))
  try {
    const store = createDubStore({ db })
    const rows = createFileRows({ db })
    const pathOf = (digest: string) => join(dataDir, 'dub_store', 'files', digest)
    for (const { id, lines, voices } of dubs) {
      store.dubs.change(id, { sourceLang: 'en' })
      store.segments.replace(
        id,
        lines.map((line) => dubLine(line)),
      )
      for (const { code, language, strategy, takes, hasTrack } of voices) {
        const mediaUs = store.dubs.find(id)!.sound!.durationUs
        const options = { ...FIT_DEFAULTS, strategy, mediaUs }
        const spoken = Object.entries(takes).map(([line, [seconds]], at) => {
          const wav = speechWav(seconds, TAKE_RATE, at + code.charCodeAt(0))
          const digest = createHash('sha256').update(wav).digest('hex')
          writeFileSync(pathOf(digest), wav)
          rows.add({ digest, kind: 'take', bytes: wav.length, detail: '{}', maker: 'test', used_at: Date.now() })
          rows.use(id, digest)
          const samples = (wav.length - HEADER) / 2
          return { id: line, digest, sampleRate: TAKE_RATE, offsetBytes: HEADER, samples, part: null, gainDb: 0 }
        })
        const input = {
          options,
          lines: lines.map(({ id: line, startUs, endUs }) => ({
            ...{ id: line, startUs, endUs, lane: 'Speaker 1' },
            naturalUs: Math.round((takes[line]?.[0] ?? 0) * 1e6),
          })),
        }
        const plan = TrackPlan.parse({ ...fitLines(input.lines, options), input, takes: spoken })
        const digest = createHash('sha256').update(`${id} ${code}`).digest('hex')
        if (hasTrack) {
          mkdirSync(join(dataDir, 'dub_store', 'files'), { recursive: true })
          await film.assemble({ takes: placedTakes(plan, pathOf), durationUs: plan.totalUs, to: pathOf(digest) }, never)
          rows.add({ digest, kind: 'track', bytes: 1, detail: '{}', maker: 'test', used_at: Date.now() })
          rows.use(id, digest)
        }
        store.segments.setTexts(id, code, Object.fromEntries(Object.entries(takes).map(([line, [, text]]) => [line, text])))
        store.tracks.setTrack(id, {
          languageCode: code,
          ...{ language, digest, plan, takeKeys: [], fitFp: null, timingStrategy: strategy, durationUs: plan.totalUs },
          createdAt: Date.now(),
        })
      }
    }
  } finally {
    db.close()
  }
}
