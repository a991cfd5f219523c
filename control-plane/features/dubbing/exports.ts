// Puts together what makes the files that leave.

import type { MarkOf } from '#control-plane/features/base/watermark/api.ts'
import type { createOnsets } from '#control-plane/features/dubbing/film/reading/onsets.service.ts'
import { createDubArchives } from '#control-plane/features/dubbing/leave/export/archives.service.ts'
import { dubExportRoutes } from '#control-plane/features/dubbing/leave/export/export.routes.ts'
import { createExportFiles } from '#control-plane/features/dubbing/leave/export/export-files.ts'
import { createExportRuns } from '#control-plane/features/dubbing/leave/export/export-runs.ts'
import { createDubExports } from '#control-plane/features/dubbing/leave/export/exports.service.ts'
import { createFilmExports } from '#control-plane/features/dubbing/leave/export/film-export.service.ts'
import { createSoundExports } from '#control-plane/features/dubbing/leave/export/sound-export.service.ts'
import { createDubSubtitles } from '#control-plane/features/dubbing/leave/subtitle/subtitle.service.ts'
import type { DubCore } from '#control-plane/features/dubbing/store/core.ts'
import type { DubFile } from '#control-plane/features/dubbing/store/files/file.store.ts'
import { createExportSound } from '#control-plane/features/dubbing/voice/timeline/export-sound.ts'
import type { Platform } from '#control-plane/kernel/platform.ts'

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
