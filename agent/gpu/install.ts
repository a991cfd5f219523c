// Installs the CUDA parts: every archive is verified, unpacked beside the final place, tried in a child process, and renamed. A process that is
// killed leaves the folder as it was, or none.
import { constants, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { unzip } from '#shared/archive/unzip.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { GpuCause } from '#shared/protocol/fields/gpu-causes.ts'
import { privateFolder, syncPath, writeAtomic } from '#shared/runtime/file.ts'
import { unfinishedIn } from '#shared/runtime/unfinished.ts'
import { type CudaPart, type CudaSet, folderName, libraryName } from './cuda-parts.ts'
import { DOWNLOADS, type GpuRecord, gpuRoot, recordPath } from './folder.ts'
import type { PartSource } from './sources.ts'

export type GpuInstallation = {
  readonly dataDir: string
  readonly set: CudaSet
  readonly source: PartSource
  /** The library of the runtime that the provider belongs to. */
  readonly runtime: string
  /** Tries the GPU with the libraries of a folder. */
  readonly trial: (folder: string) => Promise<GpuCause | null>
  readonly signal: AbortSignal
  /** `present`: bytes of the archives so far. */
  readonly onBytes?: (present: number) => void
  readonly onStep?: (step: 'unpacking' | 'trying') => void
}

const MARK = '.studio-unfinished-'
const LICENCE = /(?:^|\/)(?:licen[cs]e|thirdpartynotices)(?:\.txt)?$/
const LIMITS = { entries: 20_000, totalBytes: 3_000_000_000, library: 1_500_000_000, licence: 4_000_000 }

/** Resolves with the cause for which the GPU cannot be used; null when the parts are installed. Throws a Failure for what cannot be obtained. */
export async function installGpu({
  dataDir,
  set,
  source,
  runtime,
  trial,
  signal,
  onBytes,
  onStep,
}: GpuInstallation): Promise<GpuCause | null> {
  const root = privateFolder(gpuRoot(dataDir))
  const downloads = join(root, DOWNLOADS)
  const staged = unfinishedIn(root, '-new')
  const aside = unfinishedIn(root, '-old')
  if (readdirSync(root).some((name) => name.startsWith(MARK) && !name.startsWith(`${MARK}${process.pid}-`)))
    throw new Failure('CONFLICT', 'Another installation of the CUDA parts is running. Wait for it to end.')
  rmSync(staged, { recursive: true, force: true })
  mkdirSync(staged, { mode: 0o700 })
  try {
    const paths = new Map<CudaPart, string>()
    let before = 0
    for (const part of set.parts) {
      const path = await source(part, { downloads, signal, onBytes: (_part, present) => onBytes?.(before + present) })
      paths.set(part, path)
      before += part.bytes
    }
    onStep?.('unpacking')
    for (const [part, path] of paths) await unpack(part, path, staged, signal)
    await copyFile(runtime, join(staged, basename(runtime)), constants.COPYFILE_FICLONE)
    onStep?.('trying')
    const cause = await trial(staged)
    signal.throwIfAborted()
    if (cause !== null) return cause
    await settle(staged, set)
    const folder = join(root, folderName(set))
    if (existsSync(folder)) renameSync(folder, aside)
    renameSync(staged, folder)
    await syncPath(root)
    rmSync(downloads, { recursive: true, force: true })
    return null
  } finally {
    for (const left of [staged, aside]) rmSync(left, { recursive: true, force: true })
  }
}

/** Puts the libraries and the licence of an archive into the folder. Throws a Failure for an archive without them. */
async function unpack({ name, libraries }: CudaPart, archive: string, folder: string, signal: AbortSignal): Promise<void> {
  const out = join(folder, '.unpacked')
  mkdirSync(out, { mode: 0o700 })
  const bytesOf = (member: string) => {
    if (libraries.test(basename(member))) return LIMITS.library
    return LICENCE.test(member) ? LIMITS.licence : null
  }
  const { members } = await unzip(
    archive,
    out,
    { entries: LIMITS.entries, totalBytes: LIMITS.totalBytes, bytesOf, reserve: async () => {} },
    signal,
  )
  let found = 0
  for (const [member, { path }] of members) {
    const base = basename(member)
    const isLibrary = libraries.test(base)
    if (isLibrary) found++
    renameSync(path, join(folder, isLibrary ? libraryName(base) : `${name}-${base}`))
  }
  rmSync(out, { recursive: true })
  if (found === 0) throw new Failure('BAD_REQUEST', `The archive of ${name} has none of its libraries.`)
}

/** Writes the record last, and everything to the disk: a folder with its name is whole, also after a power cut. */
async function settle(folder: string, set: CudaSet): Promise<void> {
  const names = readdirSync(folder).sort()
  const record: GpuRecord = {
    runtime: set.runtime,
    cuda: set.cuda,
    files: names.map((name) => ({ name, bytes: statSync(join(folder, name)).size })),
    parts: set.parts.map(({ file, sha256 }) => ({ file, sha256: sha256! })),
  }
  for (const name of names) await syncPath(join(folder, name))
  writeAtomic(recordPath(folder), `${JSON.stringify(record, null, 2)}\n`)
}
