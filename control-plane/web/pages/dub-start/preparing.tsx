// A dub before the sound of its film is there.

import { cancelJob } from '#control-plane/web/frame/active-jobs.ts'
import { whenOpened } from '#control-plane/web/lib/later.tsx'
import { serverSentence } from '#control-plane/web/lib/server-texts.ts'
import { strings } from '#messages/create/dub.ts'
import type { Work } from '../dub/work.ts'
import { Busy } from '../dub-editor/steps.tsx'

export const OwnBegin = whenOpened(() => import('./start.tsx').then(({ StartDub }) => StartDub), { isQuiet: true })

export const Preparing = ({ id, work }: { id: string; work: Work }) => {
  const name = work.row?.filename ?? ''
  return (
    <>
      {name && (
        <h2 class="text" dir="auto">
          {name}
        </h2>
      )}
      {work.stage && work.job && (
        <>
          <Busy kind="running" stage={work.stage} job={work.job} onStop={() => work.job && cancelJob(work.job.id)} />
          {work.stage === 'prepare' && <OwnBegin.View id={id} work={work} />}
        </>
      )}
      {!work.stage && (work.row || work.job?.status === 'failed') && (
        <p class="callout bad text" role="alert">
          <strong>{strings.notPrepared}</strong> {work.report.remarks.map(serverSentence).join(' ') || work.job?.error}{' '}
          <a href="#/dub">{strings.newDub}</a>
        </p>
      )}
    </>
  )
}
