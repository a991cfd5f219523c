// Large JSON values as files of the store of dubs. A row of the database with megabytes would block the event loop when it is written and read.
import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { nextTurn } from '#shared/runtime/builtin/next-turn.ts'
import { linesOfJson, readJsonLines } from '../turns/json-parts.ts'
import type { DubFiles } from './dub-files.ts'
import type { FileKind } from './file.store.ts'

export type PartFiles = ReturnType<typeof createPartFiles>

export function createPartFiles(files: Pick<DubFiles, 'find' | 'obtain' | 'pathOf'>) {
  return {
    /** Resolves with the name of the file, which is durable: the SHA-256 of its content. Throws STORAGE_FULL, and the reason of the signal. */
    async keep(kind: FileKind, value: Readonly<Record<string, unknown>>, dubId: string, signal: AbortSignal): Promise<string> {
      const hash = createHash('sha256')
      const lines: Buffer[] = []
      for await (const line of linesOfJson(value)) {
        const bytes = Buffer.from(`${line}\n`)
        hash.update(bytes)
        lines.push(bytes)
        await nextTurn()
      }
      const digest = hash.digest('hex')
      await files.obtain(
        digest,
        { kind, maker: dubId },
        dubId,
        async (path) => {
          await writeFile(path, Buffer.concat(lines), { mode: 0o600, flush: true })
          return '{}'
        },
        signal,
      )
      return digest
    },
    /** Null for a file that was deleted or is damaged. */
    async read(digest: string): Promise<Record<string, unknown> | null> {
      if (!(await files.find(digest))) return null
      try {
        const text = await readFile(files.pathOf(digest), 'utf8')
        return await readJsonLines(text.split('\n').filter((line) => line !== ''))
      } catch {
        return null
      }
    },
  }
}
