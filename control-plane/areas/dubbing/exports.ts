// Puts together what makes the files that leave.
import type { Platform } from '../platform.ts'
import type { MarkOf } from '../watermark/api.ts'
import type { DubCore } from './core.ts'
import { createDubArchives } from './export/archives.service.ts'
import { dubExportRoutes } from './export/export.routes.ts'
import { createExportFiles } from './export/export-files.ts'
import { createExportRuns } from './export/export-runs.ts'
import { createDubExports } from './export/exports.service.ts'
import { createFilmExports } from './export/film-export.service.ts'
import { createSoundExports } from './export/sound-export.service.ts'
import type { DubFile } from './files/file.store.ts'
import type { createOnsets } from './reading/onsets.service.ts'
import { createDubSubtitles } from './subtitle/subtitle.service.ts'
import { createExportSound } from './timeline/export-sound.ts'

type Deps = {
  readonly core: DubCore
  readonly platform: Pick<Platform, 'clock' | 'random' | 'dataDir' | 'pathAuthorizations'>
  readonly requireSound: (dubId: string, signal: AbortSignal) => Promise<void>
  readonly speechOf: ReturnType<typeof createOnsets>['speechOf']
  readonly markOf: MarkOf
}

export function openDubExports({ core, platform, requireSound, speechOf, markOf }: Deps) {
  const { clock, random, dataDir, pathAuthorizations: authorizations } = platform
  const runs = createExportRuns<DubFile>({ clock })
  const parts = {
    core,
    sound: createExportSound({ core, requireSound, speechOf, markOf }),
    exported: createExportFiles({ core, runs, clock }),
    markKey: () => markOf({ engine: 'dub', params: 'export' })?.payload ?? null,
    clock,
    random,
  }
  const sounds = createSoundExports(parts)
  const exports = createDubExports({ core, films: createFilmExports(parts), sounds, authorizations, dataDir, random })
  const services = { exports, sounds, sound: parts.sound, archives: createDubArchives(parts), subtitles: createDubSubtitles(core) }
  return { ...services, routes: dubExportRoutes(services), abort: runs.abort, beginStop: runs.abortAll }
}
