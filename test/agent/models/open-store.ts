// A model store in a temporary folder with a test server.

import type { TestContext } from 'node:test'
import { createModelStore, type StoreDeps } from '#agent/models/store.ts'
import { prepareAddition } from '#agent/own/prepare.ts'
import { createFetch } from '#shared/download/fetch.ts'
import type { CatalogueModel } from '#shared/models/model.ts'
import { from, listed, row } from '#shared/models/rows.ts'
import type { Wire } from '#shared/protocol/generated/wire.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { silentLog } from '#shared/runtime/log.ts'
import { systemRandom } from '#shared/runtime/random.ts'
import { weights } from '#test/support/doubles/model-server.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

export const REPO = 'someone/small'
export const FILES = {
  'config.json': Buffer.from('{"rate":24000}'),
  'onnx/model.onnx': weights('model', 300_000),
  'voices/a.bin': weights('a', 5_000),
  'voices/b.bin': weights('b', 5_000),
  'README.md': Buffer.from('not wanted'),
}
export const SMALL: CatalogueModel = row({
  id: REPO,
  label: 'Small',
  role: 'TTS',
  engine: 'small',
  licence: 'MIT',
  sizeGb: 0.001,
  sources: [from(REPO, listed('config.json', 'onnx/model.onnx', 'voices/*.bin'))],
})

/** Waits between tries take no time, but are remembered. */
export function hastyClock(waits: number[]): Clock {
  return {
    ...systemClock,
    sleep: async (ms) => {
      waits.push(ms)
    },
  }
}

export function openStore(t: TestContext, url: string, more: Partial<StoreDeps> & { token?: string; stallMs?: number } = {}) {
  const { token = null, stallMs = 5_000, ...rest } = more
  const waits: number[] = []
  const clock = rest.clock ?? hastyClock(waits)
  const base = new URL(url)
  const folder = rest.folder ?? temporaryFolder(t)
  const deps: StoreDeps = {
    folder,
    models: [SMALL],
    platform: 'linux',
    base,
    fetch: createFetch({ base, token, clock: systemClock, version: '0', stallMs }),
    cache: null,
    freeDisk: async () => 0,
    headroomBytes: 0,
    clock,
    random: systemRandom,
    log: silentLog,
    release: async () => {},
    onChange: () => {},
    prepareModel: prepareAddition,
    ...rest,
  }
  const store = createModelStore(deps)
  t.after(() => store.stop())
  return { store, folder, waits }
}
export type OpenStore = ReturnType<typeof openStore>['store']

/** Installs and answers with everything that was told. */
export async function install(store: OpenStore, id = REPO, by = 'local'): Promise<Wire<'InstallEvent'>[]> {
  const events: Wire<'InstallEvent'>[] = []
  for await (const event of store.install(id, by, new AbortController().signal)) events.push(event)
  return events
}
export const phases = (events: readonly Wire<'InstallEvent'>[]): string[] => events.map(({ phase }) => phase)
