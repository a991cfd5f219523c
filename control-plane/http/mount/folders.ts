// Folders whose files the server sends itself, with byte ranges.
import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { Failure } from '#shared/protocol/failure.ts'
import { type Contract, contract } from '../contract.ts'
import { methodsOf, pathOf } from './methods.ts'

export type Folders = {
  /** Finished audio. */
  readonly audio: string
  /** Uploaded media for the previews of editors. */
  readonly previews: string
}
type Mount = { readonly contract: Contract; readonly folder: keyof Folders; readonly badName: () => Failure; readonly missing: string }

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
  },
]
/** The contracts of these folders; they have no handler. */
export const MOUNTED: readonly Contract[] = MOUNTS.map((mount) => mount.contract)

/** A name without folders that does not begin with a dot. */
const BARE_NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,200}$/

/** The check before anything of a request is read. */
export type Admit = (contract: Contract) => (request: FastifyRequest, reply: FastifyReply) => Promise<void>
type Deps = { readonly folders: Folders; readonly admit: Admit }

export function mountFolders(app: FastifyInstance, { folders, admit }: Deps): void {
  for (const { contract: row, folder, badName, missing } of MOUNTS)
    app.route<{ Params: { filename: string } }>({
      method: methodsOf(row),
      url: pathOf(row),
      config: { id: row.id },
      onRequest: admit(row),
      handler: async (request, reply) => {
        const { filename } = request.params
        if (!BARE_NAME.test(filename)) throw badName()
        await requireRegularFile(join(folders[folder], filename), missing)
        // Loaded with the first file, because a start needs none of its modules.
        const { send } = await import('@fastify/send')
        const sent = await send(request.raw, `/${filename}`, { root: folders[folder] })
        if (sent.type === 'error') throw sent.metadata.error
        return reply.code(sent.statusCode).headers(sent.headers).send(sent.stream)
      },
    })
}

/** Throws NOT_FOUND for links, which could lead to any file, for pipes, which could block, and for missing files. */
async function requireRegularFile(path: string, missing: string): Promise<void> {
  const found = await lstat(path).catch(() => null)
  if (!found?.isFile()) throw new Failure('NOT_FOUND', missing)
}
