// The progress of a book: on a terminal a bar that is rewritten, elsewhere one line for each chapter.

import type { Readable, Writable } from 'node:stream'
import { z } from 'zod'
import { responseLines } from '#cli/lib/studio/api.ts'
import { withBar } from '#cli/views/model-views.ts'
import { cut, printable, shortDuration, WIDTH } from '#cli/views/table.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { COMMAND } from '#shared/protocol/version.ts'

const Done = z.object({
  output: z.string(),
  readalong: z.string().optional(),
  chapters: z.int(),
  duration_s: z.number(),
  failed_chapters: z.array(z.int()).default([]),
})
export type FinishedRender = z.output<typeof Done>
const RenderEvent = z.looseObject({
  type: z.string(),
  job_id: z.string().optional(),
  chapters: z.int().optional(),
  index: z.int().optional(),
  total: z.int().optional(),
  title: z.string().optional(),
  cached: z.boolean().optional(),
  reason: z.string().optional(),
  error: z.unknown().optional(),
  message: z.string().optional(),
})
export type RenderEvent = z.output<typeof RenderEvent>
export type RenderProgress = ReturnType<typeof createBookProgress>

/** Resolves with the last event of a book that was rendered. Throws the reason of one that was not. */
export async function followRender(events: Readable, progress: Pick<RenderProgress, 'event'>): Promise<FinishedRender> {
  for await (const line of responseLines(events)) {
    if (!line.startsWith('data:')) continue
    const event = RenderEvent.parse(JSON.parse(line.slice('data:'.length)))
    progress.event(event)
    if (event.type === 'done') return Done.parse(event)
    if (event.type === 'error') throw new Failure('UNKNOWN', printable(String(event.reason ?? event.message ?? event.error)))
    if (event.type === 'stopped') throw new Failure('CANCELLED', 'The book was stopped.')
  }
  throw Object.assign(new Error('The studio closed the connection before the book was complete.'), { code: 'ERR_STREAM_PREMATURE_CLOSE' })
}

type Screen = { readonly output: Writable & { readonly isTTY?: boolean; readonly columns?: number }; readonly errors: Writable }
/** Progress of a job, as the studio reports it: the finished share, from 0 to 1, and seconds; null while unknown. */
export type JobShare = { readonly progress: number | null; readonly seconds_left: number | null }

/** `mono`: a clock in milliseconds that never jumps. */
export function createBookProgress({ output, errors }: Screen, mono: () => number = () => performance.now()) {
  let job = ''
  let startedAt = mono()
  let rendered = 0
  let chapters = ''
  const show = (text: string) => errors.write(output.isTTY ? `\r\u001b[K${cut(text, (output.columns ?? WIDTH) - 1)}` : `${text}\n`)
  const end = () => output.isTTY && errors.write('\r\u001b[K')

  /** Remaining time, if the other chapters are like those that were rendered. */
  function left(finished: number, total: number): string {
    if (rendered === 0 || finished >= total) return ''
    const seconds = ((mono() - startedAt) / 1000 / rendered) * (total - finished)
    return `, about ${shortDuration(seconds)} left`
  }
  return {
    /** Job id of the studio; empty before the book has begun. */
    job: () => job,
    /** Rewrites the bar, on a terminal only. */
    at({ progress, seconds_left }: JobShare): void {
      if (!output.isTTY || progress === null) return
      const time = seconds_left === null || progress >= 1 ? '' : `, about ${shortDuration(seconds_left)} left`
      const words = `${String(Math.floor(progress * 100)).padStart(3)} %${chapters}${time}`
      errors.write(`\r\u001b[K${withBar(words, progress, output.columns ?? WIDTH)}`)
    },
    event({ type, job_id, index = 0, total = 0, title = '', cached, reason }: RenderEvent): void {
      if (type === 'started') {
        job = job_id ?? ''
        startedAt = mono()
      } else if (type === 'chapter' || type === 'chapter_error') {
        if (type === 'chapter' && !cached) rendered++
        const name = title === '' ? '' : ` (${printable(title)})`
        const state = type === 'chapter' ? 'is ready' : 'could not be spoken'
        chapters = `, ${index + 1} of ${total} chapters`
        show(`Chapter ${index + 1} of ${total}${name} ${state}${left(index + 1, total)}`)
      } else if (type === 'assembling') show('The file is being written.')
      else if (type === 'routing_notice' && reason) {
        end()
        errors.write(`studio: ${printable(reason)}\n`)
      } else if (type === 'done') end()
    },
    /** Called after the user has stopped the command. */
    stopped(): void {
      end()
      errors.write(`The book is not complete. Finished parts are kept. Continue with ${COMMAND} book resume ${job || 'ID'} -o FILE\n`)
    },
  }
}
