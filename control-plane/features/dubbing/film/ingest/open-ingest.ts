// Puts the parts of ingesting together.

import { currentClient } from '#control-plane/clients/client.ts'
import type { AbortDub } from '#control-plane/features/dubbing/store/abort.service.ts'
import type { DubCore } from '#control-plane/features/dubbing/store/core.ts'
import { dubbingSettings } from '#control-plane/features/dubbing/store/dubbing.settings.ts'
import type { Removal } from '#control-plane/features/dubbing/store/files/removal.ts'
import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import type { Platform } from '#control-plane/kernel/platform.ts'
import { INTERNET, INTERNET_AND_LOCAL_NETWORK } from '#control-plane/media/remote/foreign-network.ts'
import type { PrepSteps } from '../prep/prep-job.ts'
import type { AdoptFilm } from '../upload/adopt-film.ts'
import { createDownload } from './download.ts'
import { dubIngestContracts } from './ingest.contract.ts'
import { createDubIngests } from './ingest.service.ts'
import { createIngestFolders } from './ingest-folders.ts'
import { createIngestJobs } from './ingest-job.ts'
import { createPageDownload } from './page-download.ts'

const dubIngestRoutes = (ingests: ReturnType<typeof createDubIngests>): Route[] => [
  handle(
    dubIngestContracts.ingest,
    async ({ body, caller, headers }) => ingests.start(body, currentClient().id, { isLocal: caller.name === 'loopback', headers }),
    ingests.requirePrograms,
  ),
]

type Parts = {
  readonly core: DubCore
  readonly prep: PrepSteps
  readonly adopt: AdoptFilm
  readonly abort: AbortDub
  readonly removal: Removal
  readonly hasPrograms: () => boolean
}

export function openIngest(platform: Platform, { core, prep, adopt, abort, removal, hasPrograms }: Parts) {
  const { clock, random, jobs, mediaPrograms, environment, choices, dataDir } = platform
  const downloader = () => mediaPrograms.usable('ytdlp')
  const pages = createPageDownload({ program: downloader, path: environment['PATH'] ?? '', clock, random })
  const network = () => (choices.read(dubbingSettings.ingestsLocalNetwork) ? INTERNET_AND_LOCAL_NETWORK : INTERNET)
  const folders = createIngestFolders(dataDir)
  const download = createDownload({ core, adopt, folders, pages, network, clock })
  const ingest = createIngestJobs({ core, jobs, prep, download, folders, removal })
  return {
    routes: dubIngestRoutes(
      createDubIngests({ core, ingest, abort, folders, hasPrograms, hasDownloader: () => downloader() !== null, random }),
    ),
    /** Removes what downloads from before this moment have left. */
    sweep: (before: number): Promise<void> => folders.sweep(before, (id) => abort.activeOf(id).length > 0),
  }
}
