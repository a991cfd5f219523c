import { join } from 'node:path'
import { currentClient, currentViewer } from '#control-plane/clients/client.ts'
import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import { defineArea } from '#control-plane/kernel/define.ts'
import { createBin } from '#control-plane/store/files/bin.ts'
import { createBinnedRows } from '#control-plane/store/sqlite/binned-rows.ts'
import type { Service } from '#shared/runtime/service.ts'
import type { LateCount } from './api.ts'
import { exportsContracts } from './exports/exports.contract.ts'
import { createExports, type Exports } from './exports/exports.service.ts'
import { createExportStore } from './exports/exports.store.ts'
import { createFolderWindow } from './exports/show-folder.ts'
import { withEvents } from './history.events.ts'
import { historyRoutes } from './history.routes.ts'
import { createHistory } from './history.store.ts'
import { projectsRoutes } from './projects/projects.routes.ts'
import { createProjects } from './projects/projects.service.ts'
import { createProjectStore } from './projects/projects.store.ts'
import { createTakeDownloads } from './takes/download.service.ts'
import { createMissingTakes, type MissingTakes } from './takes/missing.store.ts'
import { type Usage, usageContracts } from './usage/usage.contract.ts'

const usageRoutes = (read: () => Promise<Usage>): Route[] => [handle(usageContracts.read, read)]

const exportsRoutes = (exports: Exports): Route[] => [
  handle(exportsContracts.copy, async ({ body, signal }) => exports.copy(body, currentClient().id, signal)),
  handle(exportsContracts.record, async ({ body }) => exports.record(body, currentClient().id)),
  handle(exportsContracts.list, async () => exports.list(currentViewer())),
  handle(exportsContracts.reveal, ({ body }) => exports.reveal(body.path)),
]

/** A restored studio whose files are all there is like any other from its start on. */
const settled = (missing: MissingTakes): Service => ({ name: 'missing takes', start: () => void missing.kept(), stop: async () => {} })

export const libraryArea = defineArea({
  name: 'library',
  needs: ['settings'],
  open: (platform, { settings }) => {
    const {
      library: { db },
      makers,
      clock,
      random,
      environment,
      dataDir,
      audioFolder,
      artifacts,
      pathAuthorizations: authorizations,
      bus,
    } = platform
    const { media, ffmpegPath, uploadDisk } = platform
    const pruned = (count: number) => bus.publish({ kind: 'generation_history', action: 'pruned', fields: () => ({ count }) })
    const binFolder = join(dataDir, 'bin', 'takes')
    const missing = createMissingTakes({ db, audioFolder, setting: settings.missingTakes, clock })
    const cap = settings.historyCap
    const history = withEvents(createHistory({ db, makers, clock, random, audioFolder, binFolder, cap, missing, pruned }), bus)
    artifacts.addNamer(history.scriptDigests)
    const files = createTakeDownloads({ history, media, ffmpegPath, clock, audioFolder, folder: uploadDisk.folder })
    const projectStore = createProjectStore({ db })
    // Projects have no files: nothing is moved to its folder or from there.
    const projectBinFolder = join(dataDir, 'bin', 'projects')
    const projectBin = createBin({ clock, random, folder: projectBinFolder, home: projectBinFolder, isNamed: () => true })
    const binned = createBinnedRows({ db, table: 'studio_projects', id: 'id', kind: 'project', bytes: 'octet_length(state_json)' })
    const exportStore = createExportStore({ db })
    const projects = createProjects({ store: projectStore, binned, bin: projectBin, makers, bus, clock, random })
    const folderWindow = createFolderWindow({ environment })
    const exports = createExports({ store: exportStore, makers, authorizations, folderWindow, dataDir, audioFolder, bus, clock, random })
    const counts: Record<LateCount, () => number> = { voices: () => 0, dubs: () => 0 }
    const countBy = (what: LateCount, count: () => number) => {
      counts[what] = count
    }
    let usage: Promise<{ readonly read: () => Promise<Usage> }> | null = null
    // Loaded with the first request.
    const openUsage = async () => {
      const [{ createUsage }, { createUsageStore }] = await Promise.all([
        import('./usage/usage.service.ts'),
        import('./usage/usage.store.ts'),
      ])
      return createUsage({ takes: createUsageStore({ db }), projects: projectStore, exports: exportStore, counts, clock })
    }
    const readUsage = async () => {
      usage ??= openUsage()
      return (await usage).read()
    }
    return {
      routes: [...historyRoutes(history, files), ...projectsRoutes(projects), ...exportsRoutes(exports), ...usageRoutes(readUsage)],
      services: [history.bin, projectBin.service, settled(missing)],
      api: {
        history,
        missingTakes: missing.kept,
        projects: projectStore,
        own: projects,
        countBy,
      },
    }
  },
})
