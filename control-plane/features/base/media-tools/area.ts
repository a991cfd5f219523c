import { statfs } from 'node:fs/promises'
import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import { defineArea } from '#control-plane/kernel/define.ts'
import { createFetch } from '#shared/download/fetch.ts'
import { createAcquisition } from './acquisition.ts'
import { mediaToolsContracts } from './media-tools.contract.ts'
import { createMediaToolsService, type MediaToolsService } from './media-tools.service.ts'
import { PINS } from './pins.ts'
import { createVersions } from './versions.ts'

const STALL_MS = 30_000
const freeDisk = (folder: string): Promise<number | null> =>
  statfs(folder).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => null,
  )

const mediaToolsRoutes = (tools: MediaToolsService): Route[] => [
  handle(mediaToolsContracts.readStatus, () => tools.status()),
  handle(mediaToolsContracts.acquire, () => tools.acquire()),
  handle(mediaToolsContracts.updateYtdlp, () => tools.updateYtdlp()),
  handle(mediaToolsContracts.restoreYtdlp, () => tools.restoreYtdlp()),
  handle(mediaToolsContracts.choosePath, ({ params, body }) => tools.choosePath(params.tool, body.authorization)),
  handle(mediaToolsContracts.useSystem, ({ params }) => tools.useSystem(params.tool)),
  handle(mediaToolsContracts.restore, ({ params }) => tools.restore(params.tool)),
]

export const mediaToolsArea = defineArea({
  name: 'media-tools',
  needs: [],
  open: ({ settings, choices, pathAuthorizations, mediaPrograms: programs, version, clock, log }) => {
    const base = new URL(settings.mediaToolsUrl)
    const versions = createVersions()
    const fetch = createFetch({ base, token: null, clock, version, stallMs: STALL_MS })
    const acquisition = () => createAcquisition({ programs, versions, base, fetch, freeDisk, log })
    const [tools, ytdlp] = [acquisition(), acquisition()]
    const platformKey = `${process.platform}-${process.arch}`
    const builds = PINS[platformKey] ?? null
    const service = createMediaToolsService({
      programs,
      versions,
      tools,
      ytdlp,
      builds,
      platformKey,
      settings: choices,
      authorizations: pathAuthorizations,
    })
    return {
      routes: mediaToolsRoutes(service),
      services: [{ name: 'media-tools', start() {}, stop: async () => void (await Promise.all([tools.stop(), ytdlp.stop()])) }],
      api: { isReady: () => programs.usable('ffmpeg') !== null, acquisition: tools.state },
    }
  },
})
