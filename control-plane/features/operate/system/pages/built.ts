// The folder with the bundled web pages. A release has one. A checkout makes one for each state of its sources, in .toolchain/web/, by another
// process and when a page is first requested; what is there stays, so that unchanged sources cost nothing.
import { createHash, randomUUID } from 'node:crypto'
import { constants, existsSync } from 'node:fs'
import { access, mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { execFile } from '#shared/runtime/child/process.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { syncPath } from '#shared/runtime/file.ts'
import { isDenied, PagesNotBuilt, PROGRAM_ROOT, pagesNotBuilt } from './failure.ts'
import { isWhole, share, shareFolder, syncFolder } from './folder.ts'

const WEB = join(PROGRAM_ROOT, 'control-plane/web')
const RELEASED = join(WEB, 'dist')
const CACHE = join(PROGRAM_ROOT, '.toolchain/web')
const PROGRAM = join(import.meta.dirname, 'build.ts')
/** Files that change the bundles beside the sources of the pages: package.json names their language. An image has no lock. */
const ALSO = [
  ...['bundle.ts', 'messages.ts', 'folder.ts'].map((name) => join(import.meta.dirname, name)),
  join(PROGRAM_ROOT, 'package.json'),
  join(PROGRAM_ROOT, 'package-lock.json'),
]
/** A bundle takes half a second; a machine may be busy. */
const BUILD_MS = 120_000
const KEPT_MS = 24 * 3_600_000

/** Only a checkout has sources. */
const isCheckout = () => existsSync(join(WEB, 'app.tsx'))

/** Changes with the content of each source, and with the bundler. */
export async function digestOfSources(): Promise<string> {
  const entries = await readdir(WEB, { withFileTypes: true, recursive: true })
  const paths = entries.flatMap((entry) => (entry.isFile() ? [join(entry.parentPath, entry.name)] : []))
  const own = paths.filter((path) => !path.startsWith(RELEASED + sep)).sort()
  const hash = createHash('sha256')
  for (const path of [...own, ...ALSO.filter((one) => existsSync(one))]) {
    const digest = createHash('sha256')
      .update(await readSource(path))
      .digest('hex')
    hash.update(`${path.slice(PROGRAM_ROOT.length)} ${digest}\n`)
  }
  return hash.digest('hex').slice(0, 32)
}

const readSource = (path: string): Promise<Uint8Array> =>
  readFile(path).catch((cause) => {
    // A bundle of another user would not help: the studio reads the sources to find it.
    throw isDenied(cause) ? new PagesNotBuilt(`Make ${path} readable for the user who runs the studio.`, { cause }) : cause
  })

/** Rejects with the text of the bundler, which is the same each time: it names `folder` where the bundler wrote into `own`. */
const bundleInto = (own: string, folder: string): Promise<void> =>
  new Promise((resolve, reject) => {
    execFile(process.execPath, [PROGRAM, own], { timeout: BUILD_MS, maxBuffer: 2 ** 20 }, (error, _output, errors) => {
      if (error) reject(new Error((errors.trim() || error.message).replaceAll(own, folder)))
      else resolve()
    })
  })

/** Before the bundler starts, which notices at its end only that it cannot write. */
async function makeCache(): Promise<void> {
  try {
    const made = await mkdir(CACHE, { recursive: true })
    for (const path of [made ?? CACHE, CACHE]) await share(path)
    await access(CACHE, constants.W_OK | constants.X_OK)
  } catch (cause) {
    throw new Error(`The pages are not bundled yet, and the folder ${CACHE} cannot be written: ${(cause as Error).message}.`, { cause })
  }
}

/** Bundles of earlier sources, and what a process left that was ended. Another studio of this checkout has read its own already. */
async function dropOld(kept: string): Promise<void> {
  for (const name of await readdir(CACHE)) {
    const path = join(CACHE, name)
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }))
    if (path !== kept && systemClock.now() - mtimeMs > KEPT_MS) await rm(path, { recursive: true, force: true })
  }
}

/** Two studios may do this at once: each bundles into a folder of its own, and the first one gives it the name. */
async function bundleOnce(folder: string): Promise<void> {
  await makeCache()
  const own = `${folder}.${randomUUID()}`
  try {
    await bundleInto(own, folder)
    await syncFolder(own)
    await rename(own, folder).catch((cause) => {
      if (!existsSync(folder)) throw cause
    })
    await syncPath(CACHE)
  } finally {
    await rm(own, { recursive: true, force: true }).catch(() => {})
  }
  await dropOld(folder).catch(() => {}) // the next bundle tries again
}

async function folderOfSources(): Promise<string> {
  const folder = join(CACHE, await digestOfSources())
  if (existsSync(folder)) {
    await shareFolder(folder)
    if (await isWhole(folder)) return folder
    await rm(folder, { recursive: true, force: true })
  }
  await bundleOnce(folder)
  return folder
}

/** The script that loads a page again; plain JavaScript, because it is not bundled. */
export const readAgain = (): Promise<string> => readFile(join(WEB, 'again.ts'), 'utf8')

/** The folder for the sources as they are now. Throws PagesNotBuilt. */
export async function builtFolder(): Promise<string> {
  try {
    if (isCheckout()) return await folderOfSources()
    if (await isWhole(RELEASED)) return RELEASED
  } catch (error) {
    throw pagesNotBuilt(error)
  }
  throw new PagesNotBuilt(`The pages in ${RELEASED} are missing or damaged. Install this release again.`)
}
