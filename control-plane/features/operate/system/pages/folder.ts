// Guarantees of a folder of bundled pages: it is on the disk whole before it has its name, and every user can read it, because pages are
// public.
import { constants } from 'node:fs'
import { open, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { ZodError, z } from 'zod'
import { syncPath } from '#shared/runtime/file.ts'

const READ = 0o444
const ENTER = 0o111

/** The place of a language in the names of files with texts. */
export const LANGUAGE = '%LANGUAGE%'
/** Files that a browser requests with the frame, and with each page beside its own; languages that have texts, with those that a page shows without them. */
const firstViews = z.object({
  frame: z.array(z.string()),
  pages: z.record(z.string(), z.array(z.string())),
  languages: z.record(
    z.string(),
    z.object({ name: z.string(), direction: z.enum(['ltr', 'rtl']), loading: z.string(), noScript: z.string() }),
  ),
})
export type FirstViews = z.infer<typeof firstViews>

export const readFirstViews = async (folder: string): Promise<FirstViews> =>
  firstViews.parse(JSON.parse(await readFile(join(folder, 'first-views.json'), 'utf8')))

/** Files and folders in the folder, itself last. */
async function pathsIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true })
  return [...entries.filter((one) => one.isFile() || one.isDirectory()).map(({ parentPath, name }) => join(parentPath, name)), folder]
}

/** Flushes the folder with everything in it to the disk: a name that outlives a power cut has its content. */
export async function syncFolder(folder: string): Promise<void> {
  for (const path of await pathsIn(folder)) await syncPath(path)
}

/** True for a bundle that was written whole. A power cut can leave empty files. Throws where the system refuses to read. */
export async function isWhole(folder: string): Promise<boolean> {
  try {
    await readFirstViews(folder)
    const sizes = await Promise.all((await pathsIn(folder)).map(async (path) => (await stat(path)).size))
    return !sizes.includes(0)
  } catch (error) {
    const isDamaged = error instanceof SyntaxError || error instanceof ZodError || (error as NodeJS.ErrnoException).code === 'ENOENT'
    if (isDamaged) return false
    throw error
  }
}

/** Lets every user read the file or enter the folder, where this process may permit that. Throws where it cannot read itself. */
export async function share(path: string): Promise<void> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  try {
    const found = await file.stat()
    const wanted = READ | (found.isDirectory() ? ENTER : 0)
    if ((found.mode & wanted) !== wanted) await file.chmod((found.mode & 0o777) | wanted).catch(() => {})
  } finally {
    await file.close()
  }
}

/** Lets every user read the folder: a studio makes private files, and its bundles are public. */
export async function shareFolder(folder: string): Promise<void> {
  for (const path of await pathsIn(folder)) await share(path)
}
