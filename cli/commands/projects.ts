// `projects`: lists, renames and deletes the projects that clients keep in the studio.

import { type CommandRun, Misuse, type Outcome, parseArguments, print, unknownVerb } from '#cli/lib/command.ts'
import { confirmed } from '#cli/lib/questions.ts'
import { requestJson } from '#cli/lib/studio/api.ts'
import { printable, shortDuration, tableLines } from '#cli/views/table.ts'
import { projectsContracts } from '#control-plane/features/base/library/projects/projects.contract.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { COMMAND } from '#shared/protocol/version.ts'

const OPTIONS = { json: { type: 'boolean' }, yes: { type: 'boolean' } } as const

export const run: CommandRun = async (args, terminal) => {
  const { env, output } = terminal
  const { values, positionals } = parseArguments(args, OPTIONS)
  const [verb, id, name, ...more] = positionals
  const call = (method: string, path = '', body?: unknown) => requestJson(env, method, `/projects${path}`, body)
  const outcome = async (): Promise<Outcome> => {
    if (verb === undefined) return list(await call('GET'))
    if (verb === 'rename') {
      if (id === undefined || name === undefined || more.length > 0)
        throw new Misuse("Name one project and its new name: projects rename ID 'NEW NAME'.")
      const renamed = await call('PATCH', `/${encodeURIComponent(id)}`, { name }).catch((error: unknown) => {
        throw error instanceof Failure && error.code === 'NOT_FOUND' ? noProject(id) : error
      })
      const value = projectsContracts.rename.reply.parse(renamed)
      return { value, lines: [`Renamed project ${value.id} to ${printable(value.name)}.`] }
    }
    if (verb !== 'remove') throw unknownVerb('projects', verb, ['rename', 'remove'])
    if (id === undefined || name !== undefined)
      throw new Misuse(`Name one project: projects remove ID. List them with ${COMMAND} projects.`)
    // Deleting an unknown project is no error for the route; a typing mistake should be one here.
    const known = projectsContracts.list.reply.parse(await call('GET'))
    const project = known.find((one) => one.id === id)
    if (!project) throw noProject(id)
    await confirmed(`This deletes the project ${printable(project.name)} for good.`, values.yes, terminal)
    return { value: await call('DELETE', `/${encodeURIComponent(id)}`), lines: [`Deleted project ${id}.`] }
  }
  print(await outcome(), values.json, output)
  return 0
}

const noProject = (id: string): Failure =>
  new Failure('NOT_FOUND', `There is no project ${printable(id)}. List them with ${COMMAND} projects.`)

function list(value: unknown): Outcome {
  const projects = projectsContracts.list.reply.parse(value)
  const now = Date.now() / 1000
  const rows = projects.map(({ id, name, duration, updated_at }) => ({
    cells: [id, shortDuration(now - updated_at), duration === null ? '-' : shortDuration(duration), name],
  }))
  const lines = tableLines(['PROJECT', 'CHANGED', 'LENGTH', 'NAME'], rows, [10, 8, 8, 50])
  return { value, lines: projects.length === 0 ? ['No projects yet. Clients create them.'] : lines }
}
