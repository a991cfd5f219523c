// Every finished film of the batch as one zip file that is made while it is read: films are never in memory, and on the disk once.

import { baseName } from '#control-plane/features/dubbing/leave/export/names.rules.ts'
import type { DubCore } from '#control-plane/features/dubbing/store/core.ts'
import { streamZip, type ZipEntry } from '#shared/archive/zip.ts'
import { Failure } from '#shared/protocol/failure.ts'

type Films = {
  /** Newest first. `outputs`: digests by language. */
  readonly items: readonly { readonly id: string; readonly filename: string; readonly outputs: Readonly<Record<string, string>> }[]
  readonly files: Pick<DubCore['files'], 'find' | 'pathOf'>
  /** True for a recording without a picture. */
  readonly isSound: (id: string) => boolean
}

/** Throws NOT_FOUND without a finished film. */
export async function zipOfFilms({ items, files, isSound }: Films): Promise<AsyncIterable<Uint8Array>> {
  const entries: ZipEntry[] = []
  const names = new Set<string>()
  for (const { id, filename, outputs } of items.toReversed())
    for (const [language, digest] of Object.entries(outputs)) {
      // One that was removed because the disk space was used up is left out.
      if (!(await files.find(digest))) continue
      const name = freeName(`${baseName(filename)}.${language}`, isSound(id) ? 'm4a' : 'mp4', names)
      names.add(name.toLowerCase())
      entries.push({ name, file: files.pathOf(digest) })
    }
  if (entries.length === 0) throw new Failure('NOT_FOUND', 'No film of the batch is finished yet.')
  return streamZip(entries)
}

/** Films of the same name get a number. */
function freeName(base: string, extension: string, taken: ReadonlySet<string>): string {
  for (let turn = 1; ; turn++) {
    const name = turn === 1 ? `${base}.${extension}` : `${base} (${turn}).${extension}`
    if (!taken.has(name.toLowerCase())) return name
  }
}
