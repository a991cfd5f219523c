// Section 4.3, the routes of the first start, and of the programs for media.
import { z } from 'zod'
import { contract } from '../../http/contract.ts'
import { MediaTools, Preflight, Recommendations, SetupStatus } from './setup.schema.ts'

const access = 'consume' as const

export const setupContracts = {
  readStatus: contract({
    id: 'setup.readStatus',
    method: 'GET',
    path: '/setup/status',
    access,
    summary: 'Which required models are missing on this machine, and whether there is room for them.',
    reply: SetupStatus,
  }),
  preflight: contract({
    id: 'setup.preflight',
    method: 'GET',
    path: '/setup/preflight',
    access,
    summary: 'Checks of this machine, each with what to do when it does not pass. Asks the server of the models, which may take 5 s.',
    reply: Preflight,
  }),
  recommend: contract({
    id: 'setup.recommend',
    method: 'GET',
    path: '/setup/recommendations',
    access,
    summary: 'The models that suit this machine.',
    reply: Recommendations,
  }),
  warmUp: contract({
    id: 'setup.warmUp',
    method: 'POST',
    path: '/setup/warmup',
    access,
    summary: 'Has the local agent load the engine that speaks.',
    reply: z.object({ status: z.literal('warmup_started') }),
  }),
  readMediaTools: contract({
    id: 'setup.readMediaTools',
    method: 'GET',
    path: '/media-tools/status',
    access,
    summary: 'Whether ffmpeg is here, and what to do when it is not.',
    reply: MediaTools,
  }),
  acquireMediaTools: contract({
    id: 'setup.acquireMediaTools',
    method: 'POST',
    path: '/media-tools/acquire',
    access,
    summary: 'Looks for ffmpeg anew. Nothing is downloaded: the answer says how this system installs it.',
    reply: MediaTools,
  }),
}
