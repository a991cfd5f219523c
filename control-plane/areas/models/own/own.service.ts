// Adds models of the owner's own files to this machine: collects the files, and lets the agent recognise them and give the model its place.
import { Failure, type FailureCode } from '#shared/protocol/failure.ts'
import { parseMessage } from '#shared/protocol/message-fields.ts'
import { InstallEventMessage } from '#shared/protocol/messages.ts'
import { bareName, type Upload } from '../../../http/input/form.ts'
import type { PathAuthorizations } from '../../../store/files/path-authorization.ts'
import { LOCAL } from '../../../workers/worker.store.ts'
import type { ModelHost } from '../model-host.ts'
import type { ModelRow } from '../models.schema.ts'
import type { createFound } from './found.ts'
import { filesOfPath } from './offered-files.ts'
import { type AddReply, OWN_FILES } from './own.contract.ts'
import type { createStaging, GivenFiles } from './staging.ts'

type Deps = {
  readonly host: () => ModelHost
  readonly rows: (where: string) => Promise<ModelRow[]>
  /** The list of models has changed. */
  readonly added: (id: string) => void
  readonly staging: ReturnType<typeof createStaging>
  readonly found: ReturnType<typeof createFound>
  readonly folder: string | null
  readonly authorizations: Pick<PathAuthorizations, 'claim'>
}
type Request = { readonly name: string; readonly engine: string; readonly authorization: string; readonly found: string }
const HINT = 'See "Own files" in the documentation of models for what can be added.'

export function createOwnModels({ host, rows, added, staging, found, folder, authorizations }: Deps) {
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
  async function adopted(addition: string, { name, engine }: Request, signal: AbortSignal): Promise<string> {
    for await (const event of host().addModel({ addition, name, engine }, signal)) {
      const { phase, file, code, message } = parseMessage(InstallEventMessage, event)
      if (phase === 'install_done') return file
      if (phase === 'install_error') throw new Failure((code || 'WORKER_FAILED') as FailureCode, message, { hint: HINT })
    }
    throw new Failure('WORKER_DISCONNECTED', 'The agent of this machine ended before the model was added. Try again.')
  }

  return {
    /** Throws BAD_REQUEST that says what was found in the files, CONFLICT for a name that is taken, STORAGE_FULL, NOT_FOUND, FORBIDDEN, NOT_READY. */
    async add(request: Request, uploads: Readonly<Record<string, Upload>>, signal: AbortSignal): Promise<AddReply> {
      const id = await staging.during(await given(request, uploads, signal), signal, (addition) => adopted(addition, request, signal))
      await host().describeAgain()
      added(id)
      const row = (await rows(LOCAL)).find(({ repo_id }) => repo_id === id)
      if (!row) throw new Failure('NOT_FOUND', 'The model was removed again.')
      const { repo_id, label, role, engine, model, size_on_disk_bytes: size_bytes, nb_files } = row
      return { repo_id, label, role: role === 'ASR' ? 'ASR' : 'TTS', engine, model, size_bytes, nb_files }
    },
    found: async (signal: AbortSignal) => ({ folder, found: await found.list(signal) }),
  }
}
export type OwnModels = ReturnType<typeof createOwnModels>
