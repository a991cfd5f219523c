// The event `qc_done` of the job that generated a track.

import type { Jobs } from '#control-plane/jobs/jobs.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Log } from '#shared/runtime/log.ts'
import type { TrackChecked } from '../generate/generate-events.schema.ts'
import type { DubRequests } from '../repair/requests.ts'
import type { CheckSummary } from './qc.service.ts'

type Deps = { readonly jobs: Pick<Jobs, 'append'>; readonly requests: Pick<DubRequests, 'of'>; readonly log: Pick<Log, 'warn'> }

/** A check whose event cannot be stored is complete without it. */
export const createCheckEvents =
  ({ jobs, requests, log }: Deps) =>
  async (dubId: string, languageCode: string, { engine, flagged, total }: CheckSummary): Promise<void> => {
    try {
      const request = await requests.of(dubId, languageCode)
      const event: TrackChecked = { type: 'qc_done', event: 'qc_done', engine, flagged, total }
      if (request) await jobs.append(request.job, event)
    } catch (error) {
      log.warn({ dub: dubId, err: Failure.from(error).message }, 'the event of a check could not be stored')
    }
  }
