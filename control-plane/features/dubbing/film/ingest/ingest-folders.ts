// Private folders of downloads: DATA_DIR/dub_store/ingest/<dub>.<run>. Cookies lie in them for the time of the download only.
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileIn, privateFolder } from '#shared/runtime/file.ts'

export type IngestFolder = {
  /** HOME of the program, and where it writes films and subtitles. */
  readonly home: string
  readonly films: string
  readonly subtitles: string
  readonly cookies: string
  /** Path that does not exist. */
  readonly nowhere: string
}
export type IngestFolders = ReturnType<typeof createIngestFolders>

export function createIngestFolders(dataDir: string) {
  const root = privateFolder(join(dataDir, 'dub_store', 'ingest'))
  const own = (dub: string, run: string) => fileIn(root, `${dub}.${run}`)
  const remove = (dub: string, run: string) => rm(own(dub, run), { recursive: true, force: true })
  return {
    /** The folder is made unless it is there. */
    async open(dub: string, run: string): Promise<IngestFolder> {
      const at = (name: string) => fileIn(own(dub, run), name)
      const folder = {
        home: at('home'),
        films: at('films'),
        subtitles: at('subtitles'),
        cookies: at('cookies.txt'),
        nowhere: at('nowhere'),
      }
      for (const path of [folder.home, folder.films, folder.subtitles]) await mkdir(path, { recursive: true, mode: 0o700 })
      return folder
    },
    async keepCookies({ cookies }: IngestFolder, text: string): Promise<void> {
      await writeFile(cookies, text.endsWith('\n') ? text : `${text}\n`, { mode: 0o600, flush: true })
    },
    remove,
    /** Removes folders from before this moment of dubs that nothing works on: their download ended with the studio. */
    async sweep(before: number, isActive: (dub: string) => boolean): Promise<void> {
      for (const name of await readdir(root)) {
        const at = await stat(fileIn(root, name)).catch(() => null)
        if (!at || at.mtimeMs >= before) continue
        const dot = name.lastIndexOf('.')
        if (!isActive(name.slice(0, dot))) await remove(name.slice(0, dot), name.slice(dot + 1))
      }
    },
  }
}
