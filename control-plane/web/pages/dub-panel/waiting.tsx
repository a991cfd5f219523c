// Says what a dub that is being spoken waits for, and goes on with this machine.
import { cancelJob } from '#control-plane/web/frame/active-jobs.ts'
import { isActive } from '#control-plane/web/frame/job.ts'
import { get, post } from '#control-plane/web/lib/api.ts'
import { Action } from '#control-plane/web/lib/controls.tsx'
import { usePolled } from '#control-plane/web/lib/read.ts'
import { serverSentence } from '#control-plane/web/lib/server-texts.ts'
import { mayAdminister } from '#control-plane/web/visitor.ts'
import { strings } from '#messages/create/dub.ts'
import { reasonOf } from './waits.ts'

const EVERY_MS = 1000
const pathOf = (job: string) => `/jobs/${encodeURIComponent(job)}/events` as const

async function untilEnded(job: string) {
  while (isActive((await get(pathOf(job))).job)) await new Promise((resolve) => setTimeout(resolve, EVERY_MS))
}

/** `onAgain`: speaks the lines that are not spoken yet */
export function Waiting({ job, onAgain }: { job: string; onAgain: () => Promise<void> }) {
  const reason = reasonOf(usePolled(pathOf(job), EVERY_MS).value?.events ?? [])
  if (reason === '') return null
  const here = async () => {
    await post('/workers/target', { target: 'local' })
    await cancelJob(job)
    await untilEnded(job)
    await onAgain()
  }
  return (
    <div class="callout" role="status">
      <p>{serverSentence(reason)}</p>
      {mayAdminister && <Action onPress={here}>{strings.goOnHere}</Action>}
    </div>
  )
}
