import { z } from 'zod'
import { COMMAND } from '#shared/protocol/version.ts'
import { setting } from '../../store/setting.ts'
import { LOCAL } from '../../workers/worker.store.ts'

export const workersSettings = {
  target: setting({
    key: 'worker_target',
    schema: z.string().max(64),
    fallback: LOCAL,
    summary: 'Where new tasks run: local, auto or the id of an enrolled worker.',
    changedBy: `Choose the machine with ${COMMAND} workers use NAME.`,
  }),
  remoteEnabled: setting({
    key: 'remote_workers_enabled',
    schema: z.boolean(),
    fallback: false,
    summary: 'Whether the studio listens for other machines and dials those that listen.',
    changedBy: `Use ${COMMAND} workers on, or ${COMMAND} workers off.`,
  }),
}
