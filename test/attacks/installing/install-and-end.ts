// Installs a model as an agent does, and ends. Arguments: the folder of the models, the address of the server, the model, for which studio.
import { createModelStore } from '#agent/models/store.ts'
import { prepareAddition } from '#agent/own/prepare.ts'
import { createFetch } from '#shared/download/fetch.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { silentLog } from '#shared/runtime/log.ts'
import { systemRandom } from '#shared/runtime/random.ts'
import { SMALL } from '#test/agent/models/open-store.ts'

const [, , folder = '', url = '', by = ''] = process.argv
const base = new URL(url)
const store = createModelStore({
  folder,
  models: [SMALL],
  platform: 'linux',
  base,
  fetch: createFetch({ base, token: null, clock: systemClock, version: '0', stallMs: 5_000 }),
  cache: null,
  freeDisk: async () => 2 ** 40,
  headroomBytes: 0,
  clock: systemClock,
  random: systemRandom,
  log: silentLog,
  release: async () => {},
  onChange: () => {},
  prepareModel: prepareAddition,
})
let phase = ''
for await (const event of store.install(SMALL.id, by, new AbortController().signal)) phase = event.phase
process.exit(phase === 'install_done' ? 0 : 1)
