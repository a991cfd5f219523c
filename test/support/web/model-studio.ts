// A studio whose models come from a server of the test, which has one of them. The files of a process share both: they end without that model,
// with the basic voice and with the settings of the start.
import { after } from 'node:test'
import { openModelServer, weights } from '../doubles/model-server.ts'
import { sharedWorld } from '../world/world.ts'

export const REPO = 'voice-studio/tone'
const FILES = { 'config.json': Buffer.from('{"hz":440}'), 'model.onnx': weights('tone', 3_000_000), 'voices/a.bin': weights('a', 4_000) }

export const server = await openModelServer({ after }, { [REPO]: FILES })
export const open = sharedWorld({
  remote: true,
  fixedPort: true,
  env: { STUDIO_MODELS_URL: server.url, STUDIO_MODELS_CACHE: '', STUDIO_MCP_ENABLED: '0' },
})
