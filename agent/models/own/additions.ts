// Additions of files, which become models one after the other: of this machine's own studio, and of others that send them. What another studio adds
// ends when it may not use the machine any more, and when the owner does not allow it any more.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { ADDITION, type OwnModel } from '#shared/models/own.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { isDiskError } from '#shared/runtime/file.ts'
import type { Log } from '#shared/runtime/log.ts'
import { createSerialQueue } from '#shared/runtime/serial-queue.ts'
import { OWN_STUDIO } from '../lent-space.ts'
import { adopt, type PreparedModel } from './own-models.ts'
import { createSentFiles, type SentFilesDeps, senderError } from './sent-files.ts'

/** `addition`: names the folder of the files. `name` and `engine`: '' for those that the files say. */
export type Addition = { readonly addition: string; readonly name: string; readonly engine: string }
type Deps = SentFilesDeps & {
  readonly log: Log
  readonly prepareModel: (folder: string, wanted: Omit<Addition, 'addition'>, signal: AbortSignal) => Promise<PreparedModel>
  readonly release: (engine: string) => Promise<void>
  /** There is a new model. */
  readonly changed: () => void
}
/** `bytes`: of the files that another studio sent. */
type Running = { readonly by: string; readonly bytes: number; readonly abort: AbortController }
const NOTHING = () => {}

export function createAdditions(deps: Deps) {
  const { folder, log, admit } = deps
  const sent = createSentFiles(deps)
  const inTurn = createSerialQueue()
  const stopping = new AbortController()
  const running = new Set<Running>()

  /** The folder of the addition is removed in every case. */
  async function addOnce({ addition, ...wanted }: Addition, { by, bytes, abort }: Running): Promise<OwnModel> {
    const signal = AbortSignal.any([stopping.signal, abort.signal])
    const place = join(folder, `${ADDITION}${addition}`)
    try {
      const prepared = await deps.prepareModel(place, wanted, signal)
      const { files, place: _, ...own } = prepared
      // Voices that were packed may need more than was announced.
      const more = files.reduce((sum, { size }) => sum + size, -bytes)
      if (by !== OWN_STUDIO && more > 0) await admit(more, by, NOTHING)
      signal.throwIfAborted()
      adopt(folder, prepared, by)
      deps.changed()
      // It may be the default model now, and the engine would keep the earlier one open. A busy engine opens it with its next start.
      await deps.release(own.engine).catch(() => {})
      log.info({ model: own.id, engine: own.engine, files: files.length }, 'model added from files')
      return own
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof Failure)) log.warn({ err: String(error) }, 'the files of a model could not be added')
      const refused = by === OWN_STUDIO ? error : senderError(error)
      if (refused instanceof Failure) throw refused
      if (isDiskError(error)) throw new Failure('STORAGE_FULL', 'The disk of the models is full or not writable.', { cause: error })
      throw new Failure('WORKER_FAILED', 'The agent could not make a model of the files. Its log has the reason.', { cause: error })
    } finally {
      rmSync(place, { recursive: true, force: true })
    }
  }

  return {
    put: sent.put,
    add: (addition: Addition, by: string): Promise<OwnModel> =>
      inTurn(async () => {
        // The machine's own studio has put the files there itself.
        const one = { by, bytes: by === OWN_STUDIO ? 0 : sent.complete(addition.addition, by), abort: new AbortController() }
        running.add(one)
        return await addOnce(addition, one).finally(() => running.delete(one))
      }),
    /** Ends those of a tenant that may not use this machine any more. */
    end(by: string): void {
      sent.end(by)
      for (const one of running)
        if (one.by === by) one.abort.abort(new Failure('CANCELLED', 'The studio may not use this machine any more.'))
    },
    /** Ends what the owner does not allow any more, and removes what was not continued. */
    tidy(): void {
      sent.tidy()
      for (const one of running) {
        const refused = one.by === OWN_STUDIO ? null : sent.refusal(one.bytes)
        if (refused) one.abort.abort(refused)
      }
    },
    /** Bytes on the disk, and announced bytes that are not there yet, by studio. */
    usage: () => [...sent.usage(), ...[...running].map(({ by, bytes }) => ({ by, written: bytes, unwritten: 0 }))],
    stop: () => stopping.abort(new Failure('CANCELLED', 'The agent is stopping.')),
  }
}
