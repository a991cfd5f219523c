// The projects of the clients. Their state is opaque to the studio.
import { z } from 'zod'
import { contract } from '#control-plane/http/contract/contract.ts'
import { plainObject } from '#control-plane/http/input/plain-object.ts'
import { text } from '../text.schema.ts'

/** Limit for the JSON of a state. */
export const STATE_BYTES = 16 * 1024 * 1024
/** Beside the state: the other fields, and the spaces that a client may write between them. */
const BODY_BYTES = STATE_BYTES + 1024 * 1024

const Listed = z
  .object({
    id: z.string(),
    name: z.string(),
    video_path: z.string().nullable(),
    duration: z.number().nullable(),
    created_at: z.number(),
    updated_at: z.number(),
    // Extensions, of projects that have a kind: what it is, and the number of its saves, from 1.
    kind: z.string().optional(),
    revision: z.int().optional(),
  })
  .meta({ id: 'ProjectRow' })
export type ListedProject = z.output<typeof Listed>
const Project = Listed.extend({
  audio_path: z.string().nullable(),
  state_json: z.string(),
  state: z.record(z.string(), z.unknown()),
}).meta({ id: 'Project' })
export type Project = z.output<typeof Project>

const name = text(1000)
const path = text(4096).nullish().default(null)
/** A word of the client for what it works on, such as `speech`. */
const kind = z
  .string()
  .regex(/^[a-z][a-z_]{0,31}$/)
  .optional()
const fields = {
  name,
  video_path: path,
  audio_path: path,
  duration: z.number().nullish().default(null),
  state: plainObject(),
}
const Body = z.strictObject({ ...fields, kind }).meta({ id: 'ProjectContent' })
export type ProjectBody = z.output<typeof Body>
const Replacement = z.strictObject({ ...fields, revision: z.int().min(1).optional() }).meta({ id: 'ProjectReplacement' })
export type ProjectReplacement = z.output<typeof Replacement>
const revision = z.int().optional()
const Changed = z.object({ id: z.string(), name: z.string(), updated_at: z.number(), revision }).meta({ id: 'ProjectChanged' })
const of = { kind: 'project', param: 'project_id' } as const
const params = z.strictObject({ project_id: z.string().max(64) })

export const projectsContracts = {
  list: contract({
    id: 'library.listProjects',
    method: 'GET',
    path: '/projects',
    access: 'consume',
    summary: 'Lists the projects without their state, the last changed one first.',
    reply: z.array(Listed),
  }),
  create: contract({
    id: 'library.createProject',
    method: 'POST',
    path: '/projects',
    access: 'consume',
    summary: 'Creates a project. The JSON of its state may have 16 MiB. Extension: with a kind it has a revision, the number of its saves.',
    body: Body,
    bodyBytes: BODY_BYTES,
    reply: z.object({ id: z.string(), name: z.string(), created_at: z.number(), revision }).meta({ id: 'ProjectCreated' }),
  }),
  read: contract({
    id: 'library.readProject',
    method: 'GET',
    path: '/projects/{project_id}',
    access: 'consume',
    of,
    summary: 'Returns a project with its state, as text and as an object.',
    params,
    reply: Project,
  }),
  replace: contract({
    id: 'library.replaceProject',
    method: 'PUT',
    path: '/projects/{project_id}',
    access: 'consume',
    of,
    summary:
      'Replaces every field of a project but its kind. Extension: with the revision that was read, a project that was saved since is refused with 409.',
    params,
    body: Replacement,
    bodyBytes: BODY_BYTES,
    reply: Changed,
  }),
  rename: contract({
    id: 'library.renameProject',
    method: 'PATCH',
    path: '/projects/{project_id}',
    access: 'consume',
    of,
    summary: 'Renames a project.',
    params,
    body: z.strictObject({ name }),
    reply: Changed,
  }),
  remove: contract({
    id: 'library.removeProject',
    method: 'DELETE',
    path: '/projects/{project_id}',
    access: 'consume',
    of,
    summary: 'Deletes a project. Deleting an unknown one is not an error.',
    params,
    reply: z.object({ deleted: z.string() }),
  }),
  undelete: contract({
    id: 'library.undeleteProject',
    method: 'POST',
    path: '/projects/{project_id}/undelete',
    access: 'consume',
    of,
    summary: 'Brings back a project that was deleted within the last 60 s, unless the studio was started since.',
    extension: true,
    params,
    reply: z.object({ id: z.string(), restored: z.literal(true) }),
  }),
}
