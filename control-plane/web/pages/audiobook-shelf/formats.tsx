// The formats in which a finished book is downloaded. Another one than its own is made by a job, which goes on without this page.

import { at } from '#control-plane/web/at.ts'
import { untilEnd } from '#control-plane/web/frame/job.ts'
import { post } from '#control-plane/web/lib/api.ts'
import { notify, reportFailure } from '#control-plane/web/lib/notices.ts'
import { strings } from '#messages/create/audiobook.ts'
import type { Finished } from './shelf.ts'

const FORMATS = ['m4b', 'mp3', 'wav'] as const

async function save(title: string, job: string, format: (typeof FORMATS)[number]) {
  const { output, job_id: making } = await post(`/longform/jobs/${encodeURIComponent(job)}/convert`, { format })
  if (making !== null) {
    notify(strings.willDownload)
    const { status, error } = await untilEnd(making, () => {}, new AbortController().signal)
    if (status === 'failed') throw new Error(error ?? strings.didNotFinish)
    if (status !== 'done') return
  }
  const link = document.createElement('a')
  link.href = at(`/audio/${encodeURIComponent(output)}`)
  link.download = `${title}.${output.split('.').at(-1)}`
  link.click()
}

export const BookFormats = ({ title, finished: { job_id: job } }: { title: string; finished: Finished }) => (
  <div class="body">
    {FORMATS.map((format) => (
      <button key={format} type="button" class="item" data-close onClick={() => save(title, job, format).catch(reportFailure)}>
        <b>{strings.bookFormats[format][0]}</b>
        <span class="soft">{strings.bookFormats[format][1]}</span>
      </button>
    ))}
  </div>
)
