import { join } from 'node:path'
import { catalogueOf } from '#shared/models/catalogue.ts'
import { privateFolder } from '#shared/runtime/file.ts'
import { defineArea } from '../define.ts'
import { freeDiskIn } from './disk.ts'
import { createDownloads } from './downloads.ts'
import { createLicences } from './licences.ts'
import { modelsRoutes } from './models.routes.ts'
import { createModels } from './models.service.ts'

export const modelsArea = defineArea({
  name: 'models',
  needs: ['workers'],
  open: ({ settings, choices, machines, workers, jobs, bus, clock, log }, { workers: { targetOf } }) => {
    const folder = privateFolder(join(settings.dataDir, 'local-agent', 'models'))
    const freeDisk = () => freeDiskIn(folder)
    const catalogue = catalogueOf(settings.development)
    const downloads = createDownloads({ clock })
    const licences = createLicences({ settings: choices, models: catalogue })
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
    return {
      routes: modelsRoutes({ models, licences, downloads }),
      api: { rows: models.rows, unlicensed: licences.pending, isInstalling: models.isInstalling, folder, freeDisk },
      beginStop: models.end,
    }
  },
})
