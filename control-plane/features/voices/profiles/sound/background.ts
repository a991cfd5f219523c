// Work on recordings that no request waits for, one piece at a time: transcripts and checks of statements. It ends with the studio; what must
// not be lost is marked in a row and found again at the next start.
import type { Log } from '#shared/runtime/log.ts'
import type { Service } from '#shared/runtime/service.ts'

type Work = (signal: AbortSignal) => Promise<void>
export type Background = { readonly add: (work: Work) => void; readonly service: Service }

/** `resumed`: called at the start. */
export function createBackground({ log, resumed }: { readonly log: Log; readonly resumed: () => void }): Background {
  const stopping = new AbortController()
  let last: Promise<void> = Promise.resolve()
  const run = async (work: Work) => {
    if (stopping.signal.aborted) return
    await work(stopping.signal).catch((error: unknown) => {
      if (!stopping.signal.aborted) log.warn({ err: String(error) }, 'work on the recording of a voice failed')
    })
  }
  return {
    add: (work) => {
      last = last.then(() => run(work))
    },
    service: {
      name: 'voice-background',
      start: resumed,
      async stop() {
        stopping.abort(new Error('the studio stops'))
        await last
      },
    },
  }
}
