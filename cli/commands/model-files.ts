// `models add` and `models found`: models of files on this machine. The path of a file goes to the studio as an authorization, a file in its data
// folder, so it works only on the machine of the studio and as its user.

import { resolve } from 'node:path'
import { text as readText } from 'node:stream/consumers'
import { Misuse, type Terminal } from '#cli/lib/command.ts'
import { offerAsDefault } from '#cli/lib/engine-choice.ts'
import { failureFrom, request, requestJson } from '#cli/lib/studio/api.ts'
import { studioFolder } from '#cli/lib/studio/folder.ts'
import { tableLines } from '#cli/views/table.ts'
import { ownContracts } from '#control-plane/features/machines/models/own/own.contract.ts'
import { authorizationsFolder, writePathAuthorization } from '#control-plane/store/files/path-authorization.ts'
import { COMMAND } from '#shared/protocol/version.ts'
import { shortBytes } from '#shared/runtime/memory/short-bytes.ts'
import { systemRandom } from '#shared/runtime/random.ts'

export type AddOptions = {
  readonly name?: string | undefined
  readonly engine?: string | undefined
  readonly found?: string | undefined
  /** Id of a machine; this one by default. */
  readonly target?: string | undefined
  /** A borrowed machine, as a person named it. */
  readonly worker?: string | undefined
  readonly json: boolean
}

/** `verify`: checks the model and resolves with the exit status. */
export async function addModel(
  path: string | undefined,
  { name, engine, found, target, worker, json }: AddOptions,
  terminal: Terminal,
  verify: (id: string) => Promise<number>,
): Promise<number> {
  const { env, cwd, output } = terminal
  if ((path === undefined) === (found === undefined))
    throw new Misuse(`Name a file, a folder or a zip file: models add PATH. Or one of ${COMMAND} models found: models add --found ID.`)
  const form = new FormData()
  if (name !== undefined) form.set('name', name)
  if (engine !== undefined) form.set('engine', engine)
  if (found !== undefined) form.set('found', found)
  if (target !== undefined) form.set('target', target)
  if (path !== undefined) form.set('authorization', authorizationOf(resolve(cwd, path), env))
  const answer = await request(env, { method: 'POST', path: '/models/own', form, signal: terminal.interrupted() })
  if (answer.statusCode !== 200) throw await failureFrom(env, answer)
  const model = ownContracts.add.reply.parse(JSON.parse(await readText(answer)))
  if (json) {
    output.write(`${JSON.stringify(model)}\n`)
    return 0
  }
  const { repo_id: id, label, nb_files: files, size_bytes: bytes } = model
  output.write(`${label}: ${id}, ${files} files, ${shortBytes(bytes)}. It was not verified against a publisher. Checking it.\n`)
  const status = await verify(id)
  const there = worker === undefined ? '' : ` --worker ${/^[\w.-]+$/.test(worker) ? worker : JSON.stringify(worker)}`
  if (status !== 0) output.write(`The model stays, because you added it. Delete it with ${COMMAND} models remove ${id}${there}\n`)
  // The default of this studio is an engine of this machine.
  else if (worker === undefined) await offerAsDefault(model, terminal)
  return status
}

const authorizationOf = (path: string, env: Terminal['env']): string =>
  writePathAuthorization(authorizationsFolder(studioFolder(env)), { kind: 'own_model', path }, systemRandom)

export async function listFound(json: boolean, { env, output }: Terminal): Promise<number> {
  const { folder, found } = ownContracts.found.reply.parse(await requestJson(env, 'GET', '/models/found'))
  if (json) output.write(`${JSON.stringify({ folder, found }, null, 2)}\n`)
  else if (found.length === 0)
    output.write(folder === null ? 'No folder of other programs is known.\n' : `No models of other programs were found in ${folder}.\n`)
  else
    output.write(
      `${[
        ...tableLines(
          ['SIZE', 'FILES', 'FOUND ON THIS MACHINE'],
          found.map(({ id, size_bytes, nb_files }) => ({ cells: [shortBytes(size_bytes), String(nb_files), id], notes: [] })),
          [10, 6, 100],
        ),
        '',
        `Copy one of them: ${COMMAND} models add --found ID`,
      ].join('\n')}\n`,
    )
  return 0
}
