// Adds models of the owner's own files to this machine or another one: collects the files, and lets the agent recognise them and give the model its place.
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { bareName, type Upload } from '#control-plane/http/input/form.ts'
import type { ModelHost } from '#control-plane/kernel/model-host.ts'
import type { PathAuthorizations } from '#control-plane/store/files/path-authorization.ts'
import { LOCAL } from '#control-plane/workers/worker.store.ts'
import { Failure, type FailureCode } from '#shared/protocol/failure.ts'
import { parseMessage } from '#shared/protocol/message-fields.ts'
import { InstallEventMessage, PUT_BYTES } from '#shared/protocol/messages.ts'
import type { ModelRow } from '../models.schema.ts'
import type { createFound } from './found.ts'
import { filesOfPath } from './offered-files.ts'
import { type AddReply, OWN_FILES } from './own.contract.ts'
import type { createStaging, GivenFiles, StagedFile } from './staging.ts'

type Deps = {
  /** Throws NOT_READY and CONFLICT for a machine that is not connected. */
  readonly hostAt: (where: string) => ModelHost
  readonly rows: (where: string) => Promise<ModelRow[]>
  /** The list of models has changed. */
  readonly added: (id: string, where: string) => void
  readonly staging: ReturnType<typeof createStaging>
  readonly found: ReturnType<typeof createFound>
  readonly folder: string | null
  readonly authorizations: Pick<PathAuthorizations, 'claim'>
}
type Request = {
  readonly target: string
  readonly name: string
  readonly engine: string
  readonly authorization: string
  readonly found: string
}
const HINT = 'See "Own files" in the documentation of models for what can be added.'

export function createOwnModels({ hostAt, rows, added, staging, found, folder, authorizations }: Deps) {
  async function given(request: Request, uploads: Readonly<Record<string, Upload>>, signal: AbortSignal): Promise<GivenFiles> {
    const sent = OWN_FILES.flatMap((field) => uploads[field] ?? []).filter(({ size, filename }) => size > 0 || filename !== '')
    const sources = [sent.length > 0, request.authorization !== '', request.found !== ''].filter(Boolean).length
    if (sources !== 1)
      throw new Failure('BAD_REQUEST', 'Send the files of one model, or the authorization of a path, or the id of a model that was found.')
    if (request.authorization !== '')
      return { files: await filesOfPath(authorizations.claim(request.authorization, 'own_model'), signal), isMoved: false }
    if (request.found !== '') return { files: await found.files(request.found, signal), isMoved: false }
    return { files: sent.map(({ filename, path, size }) => ({ name: bareName(filename) || 'file', path, size })), isMoved: true }
  }

  /** The id of the model. Rejects with the refusal of the agent. */
  async function adopted(addition: string, { target, name, engine }: Request, signal: AbortSignal): Promise<string> {
    for await (const event of hostAt(target).addModel({ addition, name, engine }, signal)) {
      const { phase, file, code, message } = parseMessage(InstallEventMessage, event)
      if (phase === 'install_done') return file
      if (phase === 'install_error') throw new Failure((code || 'WORKER_FAILED') as FailureCode, message, { hint: HINT })
    }
    throw new Failure('WORKER_DISCONNECTED', 'The agent of the machine ended before the model was added. Try again.')
  }

  return {
    /** Throws BAD_REQUEST that says what was found in the files, CONFLICT for a name that is taken, STORAGE_FULL, NOT_FOUND, FORBIDDEN, NOT_READY. */
    async add(request: Request, uploads: Readonly<Record<string, Upload>>, signal: AbortSignal): Promise<AddReply> {
      const { target } = request
      // Refused before files are copied.
      hostAt(target)
      const id = await staging.during(await given(request, uploads, signal), signal, async (addition, files) => {
        if (target !== LOCAL) await sendFiles(hostAt(target), addition, files, signal)
        return await adopted(addition, request, signal)
      })
      await hostAt(target).describeAgain()
      added(id, target)
      const row = (await rows(target)).find(({ repo_id }) => repo_id === id)
      if (!row) throw new Failure('NOT_FOUND', 'The model was removed again.')
      const { repo_id, label, role, engine, model, size_on_disk_bytes: size_bytes, nb_files } = row
      return { repo_id, label, role: role === 'ASR' ? 'ASR' : 'TTS', engine, model, size_bytes, nb_files }
    },
    found: async (signal: AbortSignal) => ({ folder, found: await found.list(signal) }),
  }
}
/** In order and one message at a time, so that a slow machine slows the sender down. Throws the refusal of the machine. */
async function sendFiles(host: ModelHost, addition: string, files: readonly StagedFile[], signal: AbortSignal): Promise<void> {
  const sizes = await Promise.all(files.map(async ({ path }) => (await stat(path)).size))
  const total = sizes.reduce((sum, size) => sum + size, 0)
  for (const [index, { name, path }] of files.entries()) {
    let offset = 0
    const put = async (payload: Uint8Array<ArrayBuffer>) => {
      signal.throwIfAborted()
      await host.putFile({ addition, index, name, offset, total, payload })
      offset += payload.length
    }
    for await (const block of createReadStream(path, { highWaterMark: PUT_BYTES })) await put(block as Buffer<ArrayBuffer>)
    if (offset === 0) await put(new Uint8Array())
  }
}
export type OwnModels = ReturnType<typeof createOwnModels>
