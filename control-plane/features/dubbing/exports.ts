// Puts together what makes the files that leave: for requests, and for jobs.

import type { MarkOf } from '#control-plane/features/base/watermark/api.ts'
import type { createOnsets } from '#control-plane/features/dubbing/film/reading/onsets.service.ts'
import { dubExportRoutes } from '#control-plane/features/dubbing/leave/export/export.routes.ts'
import { createExportFiles, rangedFile } from '#control-plane/features/dubbing/leave/export/export-files.ts'
import { createExportRuns, type ExportRuns } from '#control-plane/features/dubbing/leave/export/export-runs.ts'
import { createDubExports } from '#control-plane/features/dubbing/leave/export/exports.service.ts'
import { createFilmExports } from '#control-plane/features/dubbing/leave/export/film-export.service.ts'
import { createSoundExports } from '#control-plane/features/dubbing/leave/export/sound-export.service.ts'
import { createExportJobs, exportName, type MakeExport } from '#control-plane/features/dubbing/leave/job/export-job.ts'
import { createDubSubtitles } from '#control-plane/features/dubbing/leave/subtitle/subtitle.service.ts'
import type { DubCore } from '#control-plane/features/dubbing/store/core.ts'
import type { DubFile } from '#control-plane/features/dubbing/store/files/file.store.ts'
import { createExportSound } from '#control-plane/features/dubbing/voice/timeline/export-sound.ts'
import type { Platform } from '#control-plane/kernel/platform.ts'

type Deps = {
  readonly core: DubCore
  readonly platform: Pick<Platform, 'clock' | 'random' | 'dataDir' | 'pathAuthorizations' | 'jobs'>
  readonly requireSound: (dubId: string, signal: AbortSignal) => Promise<void>
  readonly speechOf: ReturnType<typeof createOnsets>['speechOf']
  readonly markOf: MarkOf
}
/** A job waits for its file as long as it takes, and the file is no longer made when no job and no request waits. */
const UNTIL_MADE: ExportRuns<DubFile> = { join: (_, make, signal) => make(signal), abort: () => false, abortAll() {} }

export function openDubExports({ core, platform, requireSound, speechOf, markOf }: Deps) {
  const { clock, random, dataDir, pathAuthorizations: authorizations, jobs } = platform
  const sound = createExportSound({ core, requireSound, speechOf, markOf })
  const markKey = () => markOf({ engine: 'dub', params: 'export' })?.payload ?? null

  function servicesFor(runs: ExportRuns<DubFile>, progress?: (share: number) => void) {
    const parts = { core, sound, exported: createExportFiles({ core, runs, clock }), markKey, clock, random, ...(progress && { progress }) }
    const sounds = createSoundExports(parts)
    // Loaded with the first archive.
    const archives = async () => (await import('#control-plane/features/dubbing/leave/export/archives.service.ts')).createDubArchives(parts)
    return {
      sounds,
      exports: createDubExports({ core, films: createFilmExports(parts), sounds, authorizations, dataDir, random }),
      archives: {
        segments: async (id: string, lang: string | null, signal: AbortSignal) => (await archives()).segments(id, lang, signal),
        stems: async (id: string, lang: string | null, signal: AbortSignal) => (await archives()).stems(id, lang, signal),
      },
    }
  }

  const make: MakeExport = async (id, { what, lang, preserve_bg: preserveBackground, burn_subs: burn, dual }, progress, signal) => {
    const { exports, sounds, archives } = servicesFor(UNTIL_MADE, progress)
    const film = () => exports.download(id, { include: '', defaultTrack: lang, preserveBackground, burn, dual, format: 'm4a' }, signal)
    const made =
      what === 'film'
        ? await film()
        : what === 'stems'
          ? await archives.stems(id, lang, signal)
          : what === 'lines'
            ? await archives.segments(id, lang, signal)
            : await sounds.read(id, { lang, preserveBackground, format: what, kbps: KBPS }, signal)
    const track = (await core.plans.of(id)).find(({ languageCode }) => languageCode === lang)
    return { ...made, name: exportName(core.dub(id).filename, track?.language || lang, what) }
  }
  const read = async (key: string) => {
    const stored = await core.files.find(key)
    return stored && rangedFile(core.files.pathOf(key), stored.bytes)
  }

  const runs = createExportRuns<DubFile>({ clock })
  const made = createExportJobs({ core, jobs, make, read, clock, random })
  const services = { ...servicesFor(runs), sound, subtitles: createDubSubtitles(core) }
  return {
    ...services,
    routes: dubExportRoutes({ ...services, made }),
    abort: (dubId: string): boolean => [made.abort(dubId), runs.abort(dubId)].includes(true),
    beginStop: runs.abortAll,
  }
}

const KBPS = 192
