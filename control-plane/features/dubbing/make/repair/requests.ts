// The last request that a track was generated from, so that single lines can be spoken again as they were asked for.
import { z } from 'zod'
import type { DubCore } from '#control-plane/features/dubbing/store/core.ts'
import { DubManifest } from '#control-plane/features/dubbing/voice/speak/manifest.ts'
import { keyOf } from '#control-plane/jobs/key.ts'

/** `job`: the generation, whose events may be read. `file`: of the manifest. */
const InFile = z.object({ job: z.string(), file: z.string() })
/** The form that earlier versions stored. */
const Kept = z.object({ job: z.string(), manifest: DubManifest })
export type KeptRequest = z.output<typeof Kept>
export type DubRequests = ReturnType<typeof createDubRequests>
const VERSION = 1
const asked = (line: DubManifest['lines'][number]) => ({ ...line, isAgain: false })

type Deps = Pick<DubCore, 'files' | 'parts' | 'rows'>

export function createDubRequests({ files, parts, rows }: Deps) {
  const nameOf = (dub: string, language: string) => keyOf({ kind: 'dub.request', version: VERSION, inputs: [], params: { dub, language } })
  return {
    /** Replaces that of the same language. Throws STORAGE_FULL. */
    async keep(job: string, manifest: DubManifest, signal = new AbortController().signal): Promise<void> {
      const { dub, languageCode } = manifest
      const name = nameOf(dub, languageCode)
      const before = await files.find(name)
      const file = await parts.keep('request', { ...manifest, lines: manifest.lines.map(asked) }, dub, signal)
      const detail = JSON.stringify({ job, file } satisfies z.output<typeof InFile>)
      const old = before && InFile.safeParse(JSON.parse(before.detail)).data?.file
      const also = () => {
        if (old && old !== file) rows.unuse(dub, old)
      }
      files.note(name, { kind: 'request', maker: job, detail, also }, dub)
    },
    /** Null for a track of an earlier version, and for a file that was deleted. */
    async of(dub: string, language: string): Promise<KeptRequest | null> {
      const file = await files.find(nameOf(dub, language))
      if (!file) return null
      const detail: unknown = JSON.parse(file.detail)
      const { data } = InFile.safeParse(detail)
      if (!data) return Kept.parse(detail)
      const manifest = await parts.read(data.file)
      return manifest && { job: data.job, manifest: DubManifest.parse(manifest) }
    },
  }
}
