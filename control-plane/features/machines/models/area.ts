import { statfs } from 'node:fs/promises'
import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import { missingNow } from '#control-plane/inference/needs/needs.ts'
import { offersAt } from '#control-plane/inference/offers.ts'
import { definePoolArea } from '#control-plane/kernel/define.ts'
import { LOCAL } from '#control-plane/workers/worker.store.ts'
import { catalogueOf } from '#shared/models/catalogue.ts'
import { createDownloads } from './downloads.ts'
import { createCards } from './licences/cards.ts'
import { createLicences } from './licences/licences.ts'
import { modelsRoutes } from './models.routes.ts'
import { createModels } from './models.service.ts'
import { createFound } from './own/found.ts'
import { ownContracts } from './own/own.contract.ts'
import { createOwnModels, type OwnModels } from './own/own.service.ts'
import { createStaging } from './own/staging.ts'
import { verifyContracts } from './verify/verify.contract.ts'
import { createVerify } from './verify/verify.service.ts'

const verifyRoutes = (verify: ReturnType<typeof createVerify>): Route[] => [
  handle(verifyContracts.run, ({ body, signal, traceparent }) => verify.run(body.repo_id, body.target, signal, traceparent)),
]

const ownRoutes = (own: OwnModels): Route[] => [
  handle(ownContracts.add, ({ body, uploads, signal }) => own.add(body, uploads, signal)),
  handle(ownContracts.found, ({ signal }) => own.found(signal)),
]

/** Bytes that the agent keeps free when it downloads. */
const RESERVE_BYTES = 10_000_000_000

/** Free bytes in the folder; null if the system does not report them. */
const freeDiskIn = (folder: string): Promise<number | null> =>
  statfs(folder).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => null,
  )

export const modelsArea = definePoolArea({
  name: 'models',
  needs: ['workers', 'settings'],
  open: (
    {
      settings,
      choices,
      modelsFolder: folder,
      machines,
      workers,
      jobs,
      bus,
      inference,
      offered,
      pathAuthorizations,
      clock,
      random,
      log,
      version,
    },
    { workers: { targetOf, labelOf }, settings: { downloadSource } },
  ) => {
    const freeDisk = () => freeDiskIn(folder)
    const catalogue = catalogueOf(settings.development)
    const downloads = createDownloads({ clock })
    const cards = createCards({ models: catalogue, source: downloadSource.current, clock, version })
    const licences = createLicences({ settings: choices, models: catalogue, cards })
    const models = createModels({
      models: catalogue,
      licences,
      live: machines.get,
      target: () => targetOf('tts'),
      isKnown: (id) => workers.get(id)?.revokedAt === null,
      folder,
      freeDisk,
      downloads,
      jobs,
      bus,
      clock,
      log,
    })
    // Failed downloads may be tried again at once.
    downloadSource.onChange(models.forgiveAll)
    // Other programs may have changed the token file of the hub.
    const install: typeof models.install = (...request) => {
      downloadSource.refresh()
      return models.install(...request)
    }
    const needs = () => {
      const local = offersAt(offered(), LOCAL)
      return local.length === 0 ? [] : missingNow(offersAt(offered(), targetOf('tts')), local)
    }
    const own = createOwnModels({
      hostAt: models.hostAt,
      rows: models.rows,
      added: models.added,
      staging: createStaging({ folder, freeDisk, reserveBytes: settings.development ? 0 : RESERVE_BYTES, random }),
      found: createFound(settings.modelsCache),
      folder: settings.modelsCache,
      authorizations: pathAuthorizations,
    })
    const verify = createVerify({
      models: catalogue,
      inference,
      offered,
      active: models.active,
      isConnected: (id) => machines.get(id)?.isReady() === true,
      labelOf,
      clock,
    })
    return {
      routes: [
        ...modelsRoutes({ needs, models: { ...models, install }, licences, cards, downloads }),
        ...ownRoutes(own),
        ...verifyRoutes(verify),
      ],
      api: { rows: models.rows, unlicensed: licences.pending, isInstalling: models.isInstalling, folder, freeDisk },
      beginStop: models.end,
    }
  },
})
