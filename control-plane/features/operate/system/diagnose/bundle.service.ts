// POST /system/diagnostic-bundle: a zip file for a report about a problem. Every text in it has passed the scrubber.
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { ErrorJournal } from '#control-plane/observe/error-journal.ts'
import { type Scrub, scrubbed } from '#control-plane/observe/scrub.ts'
import { writeZip } from '#shared/archive/zip.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { fileIn, privateFolder } from '#shared/runtime/file.ts'
import { reportText } from './diagnose.rules.ts'
import type { Diagnose } from './diagnose.service.ts'

/** The newest lines of a log, with their line breaks. Never rejects. */
type ReadLog = (count: number) => Promise<readonly string[]>
type Deps = {
  readonly version: string
  readonly outputsDir: string
  readonly diagnose: Diagnose
  readonly errors: Pick<ErrorJournal, 'recent'>
  /** By name of the file in the bundle. */
  readonly logs: Readonly<Record<string, ReadLog>>
  readonly scrub: Scrub
  readonly clock: Pick<Clock, 'now'>
}
export type Bundles = ReturnType<typeof createBundles>

const KEPT = 5
const STUDIO_LINES = 500
const OTHER_LINES = 200
const MAX_ERRORS = 50
const NAME = /^diagnostic-bundle-[\dTZ]+\.zip$/

export function createBundles({ version, outputsDir, diagnose, errors, logs, scrub, clock }: Deps) {
  return {
    /** Throws STORAGE_FULL. The path is not scrubbed: it is for the user of this machine. */
    async write(network: boolean, signal: AbortSignal): Promise<{ readonly path: string; readonly filename: string }> {
      const now = new Date(clock.now())
      const report = await diagnose({ network, deep: false }, signal)
      const meta = { app_version: version, created_at: now.toISOString(), platform: report.platform, node: process.versions.node }
      const texts = await Promise.all(
        Object.entries(logs).map(async ([name, read]) => {
          const lines = await read(name === 'studio' ? STUDIO_LINES : OTHER_LINES)
          return { name: `logs/${name}.txt`, content: scrub(lines.join('')) }
        }),
      )
      const json = (value: unknown) => `${JSON.stringify(scrubbed(value, scrub), null, 2)}\n`
      const entries = [
        { name: 'meta.json', content: json(meta) },
        { name: 'self_check.txt', content: scrub(reportText(report.checks)) },
        { name: 'self_check.json', content: json(report) },
        { name: 'errors.json', content: json(errors.recent(MAX_ERRORS)) },
        ...texts,
      ]
      const filename = `diagnostic-bundle-${now.toISOString().replaceAll(/[-:.]/g, '')}.zip`
      try {
        // A folder of its own, because the files beside it are served to every client.
        const folder = privateFolder(join(outputsDir, 'diagnostics'))
        const path = fileIn(folder, filename)
        await writeZip(path, entries, now)
        for (const old of readdirSync(folder)
          .filter((name) => NAME.test(name))
          .sort()
          .slice(0, -KEPT))
          rmSync(fileIn(folder, old), { force: true })
        return { path, filename }
      } catch (cause) {
        throw new Failure('STORAGE_FULL', `The bundle could not be written (${(cause as NodeJS.ErrnoException).code}).`, { cause })
      }
    },
  }
}
