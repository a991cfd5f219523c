// What a track was last generated from, so that single lines can be spoken again as they were asked for.
import { z } from 'zod'
import { keyOf } from '../../../jobs/key.ts'
import type { DubCore } from '../core.ts'
import { DubManifest } from '../speak/manifest.ts'
import { jsonInTurns } from '../turns/json-in-turns.ts'

/** `job`: the generation, whose events may be read. */
const Kept = z.object({ job: z.string(), manifest: DubManifest })
export type KeptRequest = z.output<typeof Kept>
export type DubRequests = ReturnType<typeof createDubRequests>
const VERSION = 1

export function createDubRequests({ files }: Pick<DubCore, 'files'>) {
  const nameOf = (dub: string, language: string) => keyOf({ kind: 'dub.request', version: VERSION, inputs: [], params: { dub, language } })
  return {
    /** Replaces that of the same language. Throws STORAGE_FULL. */
    async keep(job: string, manifest: DubManifest): Promise<void> {
      const { dub, languageCode } = manifest
      const lines = manifest.lines.map((line) => ({ ...line, isAgain: false }))
      const detail = await jsonInTurns({ job, manifest: { ...manifest, lines } } satisfies KeptRequest)
      files.note(nameOf(dub, languageCode), { kind: 'request', maker: job, detail }, dub)
    },
    /** Null for a track of an earlier version. */
    async of(dub: string, language: string): Promise<KeptRequest | null> {
      const file = await files.find(nameOf(dub, language))
      return file && Kept.parse(JSON.parse(file.detail))
    },
  }
}
