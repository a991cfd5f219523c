import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import { definePoolArea } from '#control-plane/kernel/define.ts'
import { createLlmClient } from '#control-plane/llm/client.ts'
import { LOCAL } from '#control-plane/workers/worker.store.ts'
import { aboutRoutes } from './about/about.routes.ts'
import { choiceRoutes } from './choices/choices.routes.ts'
import { createChoices } from './choices/choices.service.ts'
import { followDownloadSource } from './hub/download-source.ts'
import { hubRoutes } from './hub/hub.routes.ts'
import { createMirror } from './hub/mirror.service.ts'
import { createRace } from './hub/race.ts'
import { createHubToken } from './hub/token.service.ts'
import { createTokenFile } from './hub/token-file.ts'
import { createWhoAmI } from './hub/whoami.ts'
import { createLlmEndpoint } from './llm/endpoint.service.ts'
import { llmRoutes } from './llm/llm.routes.ts'
import { llmSettingsInUse } from './llm/llm.settings.ts'
import { createProviders } from './llm/providers.service.ts'
import { createSkills } from './llm/skills.service.ts'
import { createModelsDir, type ModelsDir } from './storage/models-dir.service.ts'
import { measureFolders } from './storage/sizes.ts'
import { storageContracts } from './storage/storage.contract.ts'
import { createStorage, type Storage } from './storage/storage.service.ts'
import { valueContracts } from './values/values.contract.ts'
import { createValues, type Values } from './values/values.service.ts'

const valueRoutes = (values: Values): Route[] => [
  handle(valueContracts.list, ({ caller }) => values.list(caller)),
  handle(valueContracts.get, ({ params, caller }) => values.get(params.key, caller)),
  handle(valueContracts.set, ({ params, body, caller }) => values.set(params.key, body.value, caller)),
  handle(valueContracts.rotateKey, () => values.rotateKey()),
]

const storageRoutes = ({ modelsDir, storage }: { readonly modelsDir: ModelsDir; readonly storage: Storage }): Route[] => [
  handle(storageContracts.readModelsDir, () => modelsDir.view()),
  handle(storageContracts.chooseModelsDir, ({ body }) => modelsDir.choose(body.authorization)),
  handle(storageContracts.report, ({ query }) => storage.report(query.refresh)),
  handle(storageContracts.clearTemporary, () => storage.clearTemporary()),
]

const CHANGELOG = join(import.meta.dirname, '../../../../CHANGELOG.md')

export const settingsArea = definePoolArea({
  name: 'settings',
  needs: [],
  open: ({
    choices: settings,
    declared: { settings: allSettings },
    settings: configured,
    environment,
    machines,
    modelsFolder,
    pathAuthorizations,
    setDownloadSource,
    dataDir,
    clock,
    version,
  }) => {
    const client = createLlmClient({ clock, version })
    const providers = createProviders({ settings, client, clock })
    const skills = createSkills({ settings, providers, client })
    const endpoint = createLlmEndpoint(providers)
    const choices = createChoices({
      settings,
      devices: () => {
        const local = machines.get(LOCAL)
        return local ? [...local.gpus().map(({ backend }) => backend), ...local.capabilities().map(({ device }) => device)] : []
      },
      isRefinementReady: () => skills.state('dictation_refinement').ready,
      platform: process.platform,
      clock,
    })
    const { modelsUrl: server, modelsToken: environmentToken } = configured
    const file = createTokenFile(environment)
    const token = createHubToken({ settings, file, whoAmI: createWhoAmI({ clock }), server, environmentToken })
    const mirror = createMirror({ settings, official: server, race: createRace({ clock }), clock })
    const downloadSource = followDownloadSource({ settings, token, mirror, server, setDownloadSource })

    const modelsDir = createModelsDir({ settings, authorizations: pathAuthorizations, dataDir, effective: modelsFolder })
    const places = { dataDir, systemFolder: tmpdir(), userId: process.getuid?.() ?? null }
    const storage = createStorage({ places, modelsFolder, measure: measureFolders, clock })
    // Keys with a placeholder stand for one setting for each provider, skill or engine.
    const declared = [...allSettings.filter(({ key }) => !key.includes('<')), ...llmSettingsInUse]
    const values = createValues({ settings, declared })
    return {
      routes: [
        ...llmRoutes({ providers, skills, endpoint }),
        ...choiceRoutes(choices),
        ...hubRoutes({ token, mirror }),
        ...storageRoutes({ modelsDir, storage }),
        ...aboutRoutes({ version, changelogPath: CHANGELOG, databasePath: join(dataDir, 'studio.db') }),
        ...valueRoutes(values),
      ],
      api: {
        historyCap: choices.historyCap,
        missingTakes: choices.missingTakes,
        backupChoice: choices.backupChoice,
        measureFolders,
        skills,
        dictation: choices,
        hubToken: token,
        downloadSource,
        isLlmReady: () => endpoint.view().available,
      },
    }
  },
})
