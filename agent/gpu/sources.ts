// Places that the archives of the CUDA parts come from: a folder, an index of Python packages, or pip with the configuration of its owner. Each
// archive is compared with its pinned digest before anything of it is used.
import { existsSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { createMeasure, measureFile } from '#shared/download/digest.ts'
import { ensureFile } from '#shared/download/download.ts'
import { type Fetch, readBody } from '#shared/download/fetch.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { privateFolder } from '#shared/runtime/file.ts'
import { shortBytes } from '#shared/runtime/memory/short-bytes.ts'
import type { CudaPart } from './cuda-parts.ts'

export type SourceDeps = {
  /** Folder of the downloads. It stays until the installation ends, so that the next one continues. */
  readonly downloads: string
  readonly signal: AbortSignal
  readonly onBytes: (part: CudaPart, present: number) => void
}
/** Resolves with the path of the archive, whose digest was verified. Throws a Failure that says what is wrong. */
export type PartSource = (part: CudaPart, deps: SourceDeps) => Promise<string>
/** Runs pip and resolves with its exit status and the end of what it printed. */
export type RunPip = (args: readonly string[], signal: AbortSignal) => Promise<{ readonly code: number; readonly text: string }>

const MAX_PAGE_BYTES = 16 * 1024 * 1024

function digestOf({ name, version, sha256 }: CudaPart): { readonly kind: 'sha256'; readonly hex: string } {
  if (sha256 === null) throw new Failure('DOWNLOAD_REFUSED', `This version has no digest for ${name} ${version}, so it is not downloaded.`)
  return { kind: 'sha256', hex: sha256 }
}

/** Throws a Failure for a file of another size or with other bytes. */
async function verify(path: string, part: CudaPart, signal: AbortSignal): Promise<void> {
  const { size } = statSync(path)
  if (size !== part.bytes)
    throw new Failure('DIGEST_MISMATCH', `${part.file} has ${shortBytes(size)} (${size} bytes) and must have ${part.bytes}.`)
  const measure = createMeasure(digestOf(part), part.bytes)
  await measureFile(path, part.bytes, measure, signal)
  if (!measure.end().matches)
    throw new Failure('DIGEST_MISMATCH', `${part.file} is not the file that this version expects: its digest differs.`)
}

/** The files as their publisher names them. They are read where they are. */
export const fromFolder =
  (folder: string): PartSource =>
  async (part, { signal, onBytes }) => {
    const path = join(folder, part.file)
    if (!existsSync(path)) throw new Failure('NOT_FOUND', `${part.file} is not in ${folder}.`)
    await verify(path, part, signal)
    onBytes(part, part.bytes)
    return path
  }

/** `index`: the address that pip takes as --index-url. Only the address of a file is taken from it. A download that ended early goes on. */
export const fromIndex =
  (index: URL, fetch: Fetch): PartSource =>
  async (part, { downloads, signal, onBytes }) => {
    const digest = digestOf(part)
    const base = new URL(index.href.endsWith('/') ? index.href : `${index.href}/`)
    const page = new URL(`${part.name}/`, base)
    const answer = await fetch(page, { signal })
    if (answer.status !== 200) {
      answer.body.destroy()
      throw new Failure('NOT_FOUND', `The index has no package ${part.name} (status ${answer.status}).`)
    }
    const html = (await readBody(answer, MAX_PAGE_BYTES)).toString('utf8')
    const url = linkTo(html, answer.url, part.file)
    if (!url) throw new Failure('NOT_FOUND', `The index has no ${part.file}.`)
    const file = { path: part.file, size: part.bytes, digest }
    await ensureFile(privateFolder(downloads), file, { url, fetch, cached: () => null, signal, onBytes: (bytes) => onBytes(part, bytes) })
    return join(downloads, part.file)
  }

function linkTo(html: string, page: URL, file: string): URL | null {
  for (const [, link] of html.matchAll(/href="([^"#]{1,2000})/g)) {
    try {
      const url = new URL(link!.replaceAll('&amp;', '&'), page)
      if (basename(decodeURIComponent(url.pathname)) === file) return url
    } catch {
      // A link that is no address names no file.
    }
  }
  return null
}

/** The owner has configured where pip finds packages. A file that was downloaded whole is not downloaded again. */
export const fromPip =
  (pip: RunPip): PartSource =>
  async (part, { downloads, signal, onBytes }) => {
    const { hex } = digestOf(part)
    const path = join(privateFolder(downloads), part.file)
    if (!existsSync(path)) {
      const folder = join(downloads, '.pip')
      rmSync(folder, { recursive: true, force: true })
      const list = join(privateFolder(folder), 'requirements.txt')
      writeFileSync(list, `${part.name}==${part.version} --hash=sha256:${hex}\n`)
      const { code, text } = await pip([...PIP_OPTIONS, '--dest', folder, '--requirement', list], signal)
      signal.throwIfAborted()
      const found = join(folder, part.file)
      if (code !== 0 || !existsSync(found))
        throw new Failure(
          'PROGRAM_FAILED',
          `pip did not download ${part.name} ${part.version}: ${lastLine(text)}. Name an index with --index, or a folder with --from.`,
        )
      renameSync(found, path)
      rmSync(folder, { recursive: true, force: true })
    }
    await verify(path, part, signal).catch((error: unknown) => {
      if (error instanceof Failure) rmSync(path, { force: true })
      throw error
    })
    onBytes(part, part.bytes)
    return path
  }

/** The files are those of one Python on purpose: of the runtime there is one for each, with the same libraries. */
const PIP_OPTIONS = [
  ...['-m', 'pip', 'download', '--no-deps', '--no-cache-dir', '--only-binary=:all:', '--require-hashes', '--no-input', '--quiet'],
  ...['--implementation', 'cp', '--python-version', '3.11', '--abi', 'cp311'],
  ...['2_28', '2_27', '2_17', '2_12'].flatMap((version) => ['--platform', `manylinux_${version}_x86_64`]),
  ...['2014', '2010'].flatMap((version) => ['--platform', `manylinux${version}_x86_64`]),
]

const lastLine = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trim())
    .findLast((line) => line !== '')
    ?.replace(/\.$/, '')
    .slice(0, 200) ?? 'it said nothing'
