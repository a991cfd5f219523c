// The recordings of running jobs, converted and cut. Each is opened by the first step that needs it, again after a restart, and closed when
// the job ends or one of its steps does not.
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { whenReady } from '#control-plane/inference/when-ready.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { ListenRequest, OpenedRecording } from '../listening.ts'
import type { Recognition } from '../recognition.service.ts'

type Request = Omit<ListenRequest, 'signal' | 'traceparent'>
type Source = { readonly path: string; readonly name: string; readonly size: number }
type Open = { readonly abort: AbortController; readonly recording: Promise<OpenedRecording>; readonly folder: Promise<string> }
type Deps = {
  readonly recognition: Pick<Recognition, 'stepwise'>
  /** The folder for uploads, which is empty when the studio starts. */
  readonly uploads: string
  readonly clock: Clock
}
export type OpenedRecordings = ReturnType<typeof createOpenedRecordings>

export function createOpenedRecordings({ recognition, uploads, clock }: Deps) {
  const opened = new Map<string, Open>()

  function open({ path, name, size }: Source, request: Request): Open {
    const abort = new AbortController()
    const { signal } = abort
    const folder = mkdtemp(join(uploads, 'upload-')) // 0700
    const recording = (async () => {
      // The parts lie beside the file, so each job has a folder for both.
      const own = join(await folder, '0')
      await symlink(path, own)
      const upload = { filename: name, path: own, size }
      return await whenReady(() => recognition.stepwise.open(upload, { ...request, signal, traceparent: '' }), clock, signal)
    })()
    return { abort, recording, folder }
  }

  /** Stops the work on it, and deletes the parts. Never rejects. */
  async function close(job: string, reason?: unknown): Promise<void> {
    const one = opened.get(job)
    if (!one) return
    opened.delete(job)
    one.abort.abort(reason)
    await one.recording.then((recording) => recording.close()).catch(() => {})
    await one.folder.then((folder) => rm(folder, { recursive: true, force: true })).catch(() => {})
  }

  return {
    close,
    /** Returns the result of `use`. An error of it, and the end of the signal, close the recording. */
    async using<T>(
      job: string,
      source: Source,
      request: Request,
      signal: AbortSignal,
      use: (recording: OpenedRecording) => Promise<T>,
    ): Promise<T> {
      signal.throwIfAborted()
      const one = opened.get(job) ?? open(source, request)
      opened.set(job, one)
      const stop = () => one.abort.abort(signal.reason)
      signal.addEventListener('abort', stop, { once: true })
      try {
        return await use(await one.recording)
      } catch (error) {
        await close(job, error)
        throw error
      } finally {
        signal.removeEventListener('abort', stop)
      }
    },
  }
}
