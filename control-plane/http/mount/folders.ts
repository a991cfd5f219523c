// Folders whose files the server sends itself, with byte ranges.
import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import { currentViewer } from '#control-plane/clients/client.ts'
import type { MadeKind } from '#shared/protocol/access/client.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { type Contract, contract } from '../contract/contract.ts'
import { fastifyPath, methodsOf } from './methods.ts'
import type { Admit, ForClient, RequireMaker } from './mounting.ts'

export type Folders = {
  /** Finished audio. */
  readonly audio: string
  /** Uploaded media for the previews of editors. */
  readonly previews: string
}
type Made = { readonly kind: MadeKind; readonly id: string }
type Mount = {
  readonly contract: Contract
  readonly folder: keyof Folders
  readonly badName: () => Failure
  readonly missing: string
  /** The object that a file belongs to; null for a file of the owner, and 'unlisted' for one whose random name is known to its maker only. */
  readonly objectOf: (filename: string) => Made | 'unlisted' | null
}

const BOOK = /^(?:audiobook|story)_([0-9a-f]{16})\./
const TAKE = /^([0-9a-f]{8})\.wav$/
const CHAPTER = /^audiobook_preview_[0-9a-f]+\./
function objectOfAudio(filename: string): Made | 'unlisted' | null {
  const [, take] = TAKE.exec(filename) ?? []
  if (take !== undefined) return { kind: 'take', id: take }
  const [, job] = BOOK.exec(filename) ?? []
  if (job !== undefined) return { kind: 'job', id: job }
  return CHAPTER.test(filename) ? 'unlisted' : null
}

const MISSING_AUDIO = 'This audio file does not exist.'
const MOUNTS: readonly Mount[] = [
  {
    contract: contract({
      id: 'audio.readFile',
      method: 'GET',
      path: '/audio/{filename}',
      access: 'consume',
      summary: 'Returns a finished audio file; byte ranges are supported.',
      extension: true,
      params: z.object({ filename: z.string() }),
      reads: ['range', 'if-none-match'],
      media: ['audio/wav'],
    }),
    folder: 'audio',
    badName: () => new Failure('NOT_FOUND', MISSING_AUDIO),
    missing: MISSING_AUDIO,
    objectOf: objectOfAudio,
  },
  {
    contract: contract({
      id: 'preview.readFile',
      method: 'GET',
      path: '/preview/{filename}',
      access: 'consume',
      summary: 'Returns an uploaded preview; byte ranges are supported.',
      params: z.object({ filename: z.string() }),
      reads: ['range', 'if-none-match'],
      media: ['video/*', 'audio/*', 'application/octet-stream'],
    }),
    folder: 'previews',
    badName: () => new Failure('BAD_REQUEST', 'Invalid preview filename'),
    missing: 'This preview does not exist. Previews are deleted after a day.',
    objectOf: () => 'unlisted',
  },
]
/** The contracts of these folders; they have no handler. */
export const MOUNTED: readonly Contract[] = MOUNTS.map((mount) => mount.contract)

/** A name without folders that does not begin with a dot. */
const BARE_NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,200}$/

type Deps = {
  readonly folders: Folders
  readonly admit: Admit
  readonly requireMaker: RequireMaker
  readonly forClient: ForClient
}

export function mountFolders(app: FastifyInstance, { folders, admit, requireMaker, forClient }: Deps): void {
  /** Throws FORBIDDEN for a file of another client, NOT_FOUND for one that only the owner may read. */
  function requireReader(made: Made | 'unlisted' | null, missing: string): void {
    if (made === 'unlisted') return
    if (made !== null) requireMaker(made.kind, made.id)
    else if (currentViewer() !== null) throw new Failure('NOT_FOUND', missing)
  }

  for (const { contract: row, folder, badName, missing, objectOf } of MOUNTS)
    app.route({
      method: methodsOf(row),
      url: fastifyPath(row),
      config: { id: row.id },
      onRequest: admit(row),
      handler: forClient(async (request, reply: FastifyReply) => {
        const { filename } = request.params as { filename: string }
        if (!BARE_NAME.test(filename)) throw badName()
        requireReader(objectOf(filename), missing)
        await requireRegularFile(join(folders[folder], filename), missing)
        // Loaded with the first file, because a start needs none of its modules.
        const { send } = await import('@fastify/send')
        const sent = await send(request.raw, `/${filename}`, { root: folders[folder] })
        if (sent.type === 'error') throw sent.metadata.error
        return reply.code(sent.statusCode).headers(sent.headers).send(sent.stream)
      }),
    })
}

/** Throws NOT_FOUND for links, which could lead to any file, for pipes, which could block, and for missing files. */
async function requireRegularFile(path: string, missing: string): Promise<void> {
  const found = await lstat(path).catch(() => null)
  if (!found?.isFile()) throw new Failure('NOT_FOUND', missing)
}
