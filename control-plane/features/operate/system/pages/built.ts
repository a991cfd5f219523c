// The folder with the bundled web pages. A release has one. A checkout makes one for each state of its sources, in .toolchain/web/, by another
// process and when a page is first requested; what is there stays, so that unchanged sources cost nothing.
import { createHash, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { z } from 'zod'
import { COMMAND } from '#shared/protocol/version.ts'
import { execFile } from '#shared/runtime/child/process.ts'
import { systemClock } from '#shared/runtime/clock.ts'

const ROOT = join(import.meta.dirname, '../../../../..')
const WEB = join(ROOT, 'control-plane/web')
const RELEASED = join(WEB, 'dist')
const CACHE = join(ROOT, '.toolchain/web')
const PROGRAM = join(import.meta.dirname, 'build.ts')
/** What changes the bundles beside the sources of the pages: package.json names their language. An image has no lock. */
const ALSO = [join(import.meta.dirname, 'bundle.ts'), join(ROOT, 'package.json'), join(ROOT, 'package-lock.json')]
/** A bundle takes a second; a machine may be busy. */
const BUILD_MS = 120_000
const KEPT_MS = 24 * 3_600_000

/** Files that a browser requests with the frame, and with each page beside its own. */
const firstViews = z.object({ frame: z.array(z.string()), pages: z.record(z.string(), z.array(z.string())) })
export type FirstViews = z.infer<typeof firstViews>

/** The pages cannot be shown. The message is for the owner of the studio. */
export class PagesNotBuilt extends Error {}

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
      .update(await readFile(path))
      .digest('hex')
    hash.update(`${path.slice(ROOT.length)} ${digest}\n`)
  }
  return hash.digest('hex').slice(0, 32)
}

const bundleInto = (folder: string): Promise<void> =>
  new Promise((resolve, reject) => {
    execFile(process.execPath, [PROGRAM, folder], { timeout: BUILD_MS, maxBuffer: 2 ** 20 }, (error, _output, errors) => {
      if (error) reject(new PagesNotBuilt(errors.trim() || error.message))
      else resolve()
    })
  })

async function makeCache(): Promise<void> {
  try {
    await mkdir(CACHE, { recursive: true })
  } catch (cause) {
    const remedy = `Run "${COMMAND} setup --pages" in ${ROOT} as a user who may write there, after each update.`
    throw new PagesNotBuilt(`The pages are not bundled yet, and the folder ${CACHE} cannot be written. ${remedy}`, { cause })
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
    await bundleInto(own)
    await rename(own, folder).catch((cause) => {
      if (!existsSync(folder)) throw new PagesNotBuilt(`The bundled pages cannot be stored in ${folder}.`, { cause })
    })
  } finally {
    await rm(own, { recursive: true, force: true }).catch(() => {})
  }
  await dropOld(folder).catch(() => {}) // the next bundle tries again
}

/** The folder for the sources as they are now. Throws PagesNotBuilt. */
export async function builtFolder(): Promise<string> {
  if (!isCheckout()) return RELEASED
  const folder = join(CACHE, await digestOfSources())
  if (!existsSync(folder)) await bundleOnce(folder)
  return folder
}

/** The script that loads a page again; a browser runs it as it is. */
export const readAgain = (): Promise<string> => readFile(join(WEB, 'again.ts'), 'utf8')

export const readFirstViews = async (folder: string): Promise<FirstViews> =>
  firstViews.parse(JSON.parse(await readFile(join(folder, 'first-views.json'), 'utf8')))
