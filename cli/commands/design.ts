// `design`: a designed voice of a description. The studio finds the choices in the words, without a model.

import { type CommandRun, Misuse, parseArguments, print } from '#cli/lib/command.ts'
import { requestJson } from '#cli/lib/studio/api.ts'
import { printable } from '#cli/views/table.ts'
import { archetypesContracts } from '#control-plane/features/voices/archetypes/archetypes.contract.ts'
import { profilesContracts } from '#control-plane/features/voices/profiles/store/profiles.contract.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { voiceLines } from './voices.ts'

const OPTIONS = { name: { type: 'string' }, language: { type: 'string' }, json: { type: 'boolean' } } as const
const FORM = 'design "A deep, old man" --name Walter'
const Described = archetypesContracts.describe.reply

export const run: CommandRun = async (args, terminal) => {
  const { env, output, errors } = terminal
  const { values, positionals } = parseArguments(args, OPTIONS)
  const description = positionals.join(' ').trim()
  if (description === '') throw new Misuse(`The description is missing: ${FORM}`)
  if (!values.name?.trim()) throw new Misuse(`Name the voice: ${FORM}`)
  const { attrs, instruct, matched, unmatched } = Described.parse(await requestJson(env, 'POST', '/design/describe', { description }))
  if (instruct === '')
    throw new Failure('BAD_REQUEST', `No word of the description is known. Say how old, deep or cheerful the voice is: ${FORM}`)
  const form = new FormData()
  const fields = { name: values.name.trim(), kind: 'design', description, instruct, vd_states: JSON.stringify(attrs) }
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  const language = values.language ?? terminal.defaults?.language
  if (language !== undefined) form.set('language', language)
  const voice = profilesContracts.create.reply.parse(await requestJson(env, 'POST', '/profiles', form))
  const understood = matched.map(({ token }) => token)
  if (unmatched.length > 0) errors.write(`studio: Not understood: ${printable(unmatched.join(', '))}\n`)
  print(
    {
      value: { voice, understood, not_understood: unmatched },
      lines: [...voiceLines(voice), `Understood ${printable(understood.join(', '))}`],
    },
    values.json,
    output,
  )
  return 0
}
