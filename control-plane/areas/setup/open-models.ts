// Puts the models and the first start together: they look at the same folder and the same machine.
import { join } from 'node:path'
import { catalogueOf } from '#shared/models/catalogue.ts'
import type { Gpu } from '#shared/protocol/messages.ts'
import type { Settings } from '#shared/protocol/settings.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { privateFolder } from '#shared/runtime/file.ts'
import type { Log } from '#shared/runtime/log.ts'
import type { Offer } from '../../inference/substitutes.ts'
import type { SettingStore } from '../../store/setting.store.ts'
import type { Tasks } from '../../tasks/tasks.ts'
import { NATIVE } from '../engines/known.ts'
import { createDownloads } from '../models/downloads.ts'
import { createLicences } from '../models/licences.ts'
import { createModels, LOCAL, type ModelHost } from '../models/models.service.ts'
import { freeDiskIn } from './disk.ts'
import { reaches } from './reach.ts'
import { createSetup } from './setup.service.ts'
import { createWarmUp } from './warm.ts'

type Session = ModelHost & { readonly gpus: () => readonly Gpu[]; readonly capabilities: () => readonly Omit<Offer, 'workerId'>[] }
type Deps = {
  readonly settings: Settings
  readonly choices: SettingStore
  readonly tasks: Tasks
  readonly session: (workerId: string) => Session | undefined
  readonly target: () => string
  readonly isKnown: (workerId: string) => boolean
  readonly path: string
  readonly ffmpeg: string | null
  readonly clock: Clock
  readonly log: Log
}
const REACH_MS = 5_000

export function openModels({ settings, choices, tasks, session, target, isKnown, path, ffmpeg, clock, log }: Deps) {
  // The local agent keeps its models here.
  const folder = privateFolder(join(settings.dataDir, 'local-agent', 'models'))
  const freeDisk = () => freeDiskIn(folder)
  const downloads = createDownloads({ clock })
  const catalogue = catalogueOf(settings.development)
  const licences = createLicences({ settings: choices, models: catalogue })
  const models = createModels({
    models: catalogue,
    licences,
    live: session,
    target,
    isKnown,
    folder,
    freeDisk,
    downloads,
    clock,
    log,
  })
  const setup = createSetup({
    models,
    gpus: () => session(LOCAL)?.gpus() ?? [],
    engine: () => {
      const speaking = session(LOCAL)
        ?.capabilities()
        .find(({ engine, operation }) => engine === NATIVE && operation === 'tts')
      return speaking ? { id: NATIVE, device: speaking.device, standsIn: speaking.stands_in } : null
    },
    warm: createWarmUp(tasks, () => NATIVE),
    reaches: (address) => reaches(address, REACH_MS),
    folder,
    freeDisk,
    endpoint: settings.modelsUrl,
    path,
    ffmpeg,
    log,
  })
  return { models, licences, downloads, setup }
}
