import { z } from 'zod'
import { setting } from '#control-plane/store/setting.ts'
import { LOCAL } from '#control-plane/workers/worker.store.ts'
import { ENDPOINT_LIMITS } from '#shared/protocol/messages.ts'
import { COMMAND } from '#shared/protocol/version.ts'

export const workersSettings = {
  target: setting({
    key: 'worker_target',
    access: 'admin',
    schema: z.string().max(64),
    fallback: LOCAL,
    summary: 'Where new tasks run: local, auto or the id of an enrolled worker.',
    changedBy: `Choose the machine with ${COMMAND} workers use NAME.`,
  }),
  remoteEnabled: setting({
    key: 'remote_workers_enabled',
    access: 'admin',
    schema: z.boolean(),
    fallback: false,
    summary: 'Whether the studio listens for other machines and dials those that listen.',
    changedBy: `Use ${COMMAND} workers on, or ${COMMAND} workers off.`,
  }),
  endpoints: setting({
    key: 'worker_endpoints',
    access: 'own',
    schema: z.array(z.string().max(ENDPOINT_LIMITS.chars)).max(ENDPOINT_LIMITS.count).readonly(),
    fallback: [],
    summary: 'Addresses at which machines reach this studio, best first. None: the address of this machine.',
    changedBy: `Use ${COMMAND} workers address HOST.`,
  }),
}
