// POST /watermark/detect: the recording is converted and cut on the disk, and its stretches are searched in a thread.
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Upload } from '#control-plane/http/input/form.ts'
import type { Intake } from '#control-plane/media/intake.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { EXTENSIONS, replyOf, type Searched, sampled } from './detection.rules.ts'
import type { DetectionRequest } from './detection-thread.ts'

type Deps = { readonly intake: Pick<Intake, 'split'>; readonly key: Uint8Array }
export type Detection = ReturnType<typeof createDetection>
/** Hz; the mark lies below 6,000 Hz. */
const RATE = 16_000
const STRETCH = { sampleRate: RATE, longestSeconds: 60, searchSeconds: 5 }

export function createDetection({ intake, key }: Deps) {
  return {
    /** Throws BAD_REQUEST for another extension and for an unreadable recording. */
    async detect({ path, filename }: Upload, signal: AbortSignal) {
      const extension = extname(filename).slice(1).toLowerCase()
      if (!EXTENSIONS.includes(extension))
        throw new Failure('BAD_REQUEST', `The name of the file must end with one of .${EXTENSIONS.join(', .')}.`)
      const { parts, remove } = await intake.split(path, signal, STRETCH)
      try {
        const paths = sampled(parts.length).map((at) => parts[at]!.path)
        return replyOf(await search({ paths, key, sampleRate: RATE }, signal))
      } finally {
        await remove()
      }
    },
  }
}

/** Rejects with the reason of the signal, or when the thread fails. */
function search(request: DetectionRequest, signal: AbortSignal): Promise<Searched> {
  signal.throwIfAborted()
  const thread = new Worker(new URL('./detection-thread.ts', import.meta.url), { workerData: request })
  let stop = () => {}
  return new Promise<Searched>((resolve, reject) => {
    stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
    thread.once('message', resolve)
    thread.once('error', reject)
    thread.once('exit', (code) => reject(new Error(`the detection thread ended with ${code}`)))
  }).finally(() => {
    signal.removeEventListener('abort', stop)
    return thread.terminate()
  })
}
