// A model of the owner's own files, and the models that other programs left on this machine.
import { z } from 'zod'
import { contract } from '#control-plane/http/contract/contract.ts'

/** The files of one model that a browser sends; a folder with more of them comes as a zip file, or from the command line. */
export const OWN_FILES = ['file', 'file2', 'file3', 'file4', 'file5', 'file6', 'file7', 'file8'] as const

export const AddBody = z.strictObject({
  /** Names the model; by default as its files are called. */
  name: z.string().trim().max(60).default(''),
  /** The engine that must read it; by default the one that its files are for. */
  engine: z.string().trim().max(64).default(''),
  /** Authorization of a path of this machine, in place of files; a program of its owner wrote it. */
  authorization: z.string().max(64).default(''),
  /** `local`, or the id of a machine whose owner lets studios send files of models. */
  target: z.string().trim().max(64).default('local'),
  /** Id from GET /models/found, in place of files. */
  found: z.string().max(300).default(''),
})
export const AddReply = z
  .object({
    repo_id: z.string(),
    label: z.string(),
    role: z.enum(['TTS', 'ASR']),
    engine: z.string(),
    model: z.string(),
    size_bytes: z.int(),
    nb_files: z.int(),
  })
  .meta({ id: 'AddedModel' })
export type AddReply = z.output<typeof AddReply>

export const FoundModel = z
  .object({ id: z.string(), label: z.string(), repo_id: z.string(), size_bytes: z.int(), nb_files: z.int() })
  .meta({ id: 'FoundModel' })
export type FoundModel = z.output<typeof FoundModel>
export const FoundReply = z.object({ folder: z.string().nullable(), found: z.array(FoundModel) }).meta({ id: 'FoundModels' })
export type FoundReply = z.output<typeof FoundReply>

export const ownContracts = {
  add: contract({
    id: 'models.add',
    waitsForLocal: true,
    method: 'POST',
    path: '/models/own',
    access: 'admin',
    summary:
      'Makes a model of files: one file with what lies beside it, a folder, or a zip file. It is recognised by its graphs and added to this machine, or to the target, marked as not verified against a publisher. Send files, or the authorization of a path, or a model of GET /models/found.',
    extension: true,
    body: AddBody,
    form: OWN_FILES,
    mayOmit: OWN_FILES,
    spooledFilm: true,
    reply: AddReply,
  }),
  found: contract({
    id: 'models.found',
    method: 'GET',
    path: '/models/found',
    access: 'admin',
    summary: 'Lists what other programs have downloaded on this machine, in the cache of the hub, that may be added as a model.',
    extension: true,
    reply: FoundReply,
  }),
}
