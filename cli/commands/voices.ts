// `voices`: files with saved voices, to and from the running studio.
import { basename, resolve } from 'node:path'
import { personasContracts } from '#control-plane/areas/bundles/personas/personas.contract.ts'
import { type CommandRun, Misuse, type Outcome, parseArguments, print, type Terminal, unknownVerb } from '../lib/command.ts'
import { fileForm, refuseUnwritable, save } from '../lib/file-transfer.ts'
import { failureFrom, request, uploadJson } from '../lib/studio-api.ts'
import { printable } from '../views/table.ts'

const OPTIONS = {
  output: { type: 'string', short: 'o' },
  licence: { type: 'string' },
  'without-reference': { type: 'boolean' },
  json: { type: 'boolean' },
} as const
type Export = {
  readonly output?: string | undefined
  readonly licence?: string | undefined
  readonly 'without-reference'?: boolean | undefined
}

export const run: CommandRun = async (args, terminal) => {
  const { values, positionals } = parseArguments(args, OPTIONS)
  const [verb, name, ...more] = positionals
  const outcome = async (): Promise<Outcome> => {
    if (verb === 'export') {
      if (name === undefined || more.length > 0 || !values.output) throw new Misuse('Name one voice and a file: voices export ID -o FILE')
      return exportVoice(name, values.output, values, terminal)
    }
    if (verb !== 'import') throw unknownVerb('voices', verb, ['export', 'import'])
    if (name === undefined || more.length > 0) throw new Misuse('Name one file: voices import FILE')
    return importVoice(name, terminal)
  }
  print(await outcome(), values.json, terminal.output)
  return 0
}

async function exportVoice(id: string, file: string, options: Export, { env, cwd, errors, interrupted }: Terminal): Promise<Outcome> {
  const path = resolve(cwd, file)
  await refuseUnwritable(path)
  const query = new URLSearchParams({
    ...(options.licence !== undefined && { license_spdx: options.licence }),
    ...(options['without-reference'] && { include_reference: 'false' }),
  })
  const signal = interrupted()
  const response = await request(env, { method: 'POST', path: `/personas/export/${encodeURIComponent(id)}?${query}`, signal })
  if (response.statusCode !== 200) throw await failureFrom(env, response)
  const bytes = await save(response, path, signal)
  const notice = response.headers['x-svc-notice']
  if (notice !== undefined) errors.write(`studio: ${printable(String(notice))}\n`)
  return { value: { path, bytes }, lines: [`${basename(path)}, ${Math.ceil(bytes / 1000)} kB`] }
}

async function importVoice(file: string, { env, cwd }: Terminal): Promise<Outcome> {
  const reply = await uploadJson(env, '/personas/import', await fileForm('file', resolve(cwd, file)))
  const value = personasContracts.importPersona.reply.parse(reply)
  const remarks = [
    ...(value.preview_only ? ['The file contains a preview only, so the voice has no transcript.'] : []),
    ...(value.schema_version_ahead ? ['The file was written by a newer version. What this version does not know was left out.'] : []),
    ...(value.license_replaced === null
      ? []
      : [`Its licence ${printable(value.license_replaced)} is not on the list of licences. ${value.license_spdx} is used.`]),
    ...(value.skipped_members.length > 0 ? [`Not used: ${printable(value.skipped_members.join(', '))}.`] : []),
  ]
  return { value, lines: [`Imported ${printable(value.name)} as voice ${value.profile_id}.`, ...remarks] }
}
