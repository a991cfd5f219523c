import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import { defineArea } from '#control-plane/kernel/define.ts'
import { bindingsContracts } from './bindings/bindings.contract.ts'
import { type Bindings, createBindings } from './bindings/bindings.service.ts'
import { createBindingStore } from './bindings/bindings.store.ts'
import { mcpRoutes } from './mcp.routes.ts'
import { createMcp } from './mcp.service.ts'
import { mcpSettings } from './mcp.settings.ts'
import { createTools } from './tools/tools.ts'

const bindingsRoutes = (bindings: Bindings): Route[] => [
  handle(bindingsContracts.list, () => bindings.list()),
  handle(bindingsContracts.write, ({ body }) => bindings.write(body)),
  handle(bindingsContracts.remove, ({ params }) => bindings.remove(params.client_id)),
]

declare module '#control-plane/kernel/define.ts' {
  interface AreaApis {
    readonly mcp: null
  }
}

export const mcpArea = defineArea({
  name: 'mcp',
  needs: ['engines', 'recognition', 'speech', 'profiles'],
  open: (platform, { engines, recognition, speech, profiles: voices }) => {
    const {
      library: { db },
      choices,
      offered,
      machines,
      uploadDisk,
      audioFolder,
      version,
      clock,
      random,
      log,
    } = platform
    const defaultVoice = () => choices.read(mcpSettings.defaultVoice)
    const bindings = createBindings({ store: createBindingStore({ db }), defaultVoice, clock, log })
    const machineCount = () => [...machines.all()].length
    const tools = createTools({ speech, recognition, engines, voices, bindings, offered, machineCount, uploadDisk, audioFolder, version })
    const isEnabled = () => choices.read(mcpSettings.enabled)
    const mcp = createMcp({ tools, version, isEnabled, clock, random, log })
    choices.onChange((key) => {
      if (key === mcpSettings.enabled.key && !isEnabled()) mcp.endAll()
    })
    return { routes: [...bindingsRoutes(bindings), ...mcpRoutes(mcp)], api: null, beginStop: mcp.stop }
  },
})
