// `voices`: lists, shows, adds, locks and removes the voices of the studio.

import { basename, extname, resolve } from 'node:path'
import { type CommandRun, Misuse, type Outcome, parseArguments, print, type Terminal, unknownVerb } from '#cli/lib/command.ts'
import { fileAt } from '#cli/lib/file-transfer.ts'
import { confirmed } from '#cli/lib/questions.ts'
import { requestJson } from '#cli/lib/studio/api.ts'
import { printable, shortDuration, tableLines } from '#cli/views/table.ts'
import { soundContracts } from '#control-plane/features/voices/profiles/sound/sound.contract.ts'
import { type ProfileRow, profilesContracts } from '#control-plane/features/voices/profiles/store/profiles.contract.ts'
import { COMMAND } from '#shared/protocol/version.ts'
import { exportVoice, importVoice, ofTake, ofVoice } from './voice-files.ts'

const OPTIONS = {
  json: { type: 'boolean' },
  yes: { type: 'boolean' },
  name: { type: 'string' },
  text: { type: 'string' },
  language: { type: 'string' },
  statement: { type: 'string' },
  agrees: { type: 'string' },
  output: { type: 'string', short: 'o' },
  licence: { type: 'string' },
  'without-reference': { type: 'boolean' },
  force: { type: 'boolean' },
} as const
type Options = ReturnType<typeof parseArguments<typeof OPTIONS>>['values']
type Call = (method: string, path?: string, body?: unknown) => Promise<unknown>
const VERBS = ['show', 'add', 'remove', 'lock', 'unlock', 'export', 'import']

export const run: CommandRun = async (args, terminal) => {
  const { env, cwd, output } = terminal
  const { values, positionals } = parseArguments(args, OPTIONS)
  const [verb, ...operands] = positionals
  const call: Call = (method, path = '', body) => requestJson(env, method, `/profiles${path}`, body)
  const outcome = (): Promise<Outcome> => {
    if (verb === undefined) return list(call)
    if (verb === 'add') return add(call, operandsOf(operands, 1, "Name one recording: voices add FILE --name 'NAME'."), values, cwd)
    if (verb === 'lock') return lock(call, operandsOf(operands, 2, 'Name a voice and a take: voices lock ID TAKE.'))
    if (verb === 'export') {
      const [id] = operandsOf(operands, 1, 'Name one voice and a file: voices export ID -o FILE')
      if (!values.output) throw new Misuse('Name the file: voices export ID -o FILE')
      return exportVoice(id!, values.output, values, terminal)
    }
    if (verb === 'import') return importVoice(operandsOf(operands, 1, 'Name one file: voices import FILE')[0]!, terminal)
    if (!VERBS.includes(verb)) throw unknownVerb('voices', verb, VERBS)
    const [id] = operandsOf(operands, 1, `Name one voice: voices ${verb} ID. List them with ${COMMAND} voices.`)
    return verb === 'show' ? show(call, id!) : verb === 'remove' ? remove(call, id!, values.yes, terminal) : unlock(call, id!)
  }
  print(await outcome(), values.json, output)
  return 0
}

function operandsOf(operands: readonly string[], count: number, message: string): readonly string[] {
  if (operands.length !== count) throw new Misuse(message)
  return operands
}
const at = (id: string, rest = '') => `/${encodeURIComponent(id)}${rest}`

async function list(call: Call): Promise<Outcome> {
  const value = profilesContracts.list.reply.parse(await call('GET'))
  const now = Date.now() / 1000
  const rows = value.map(({ id, kind, name, is_locked, verified_own_voice, created_at }) => ({
    cells: [id, kind, is_locked ? 'locked' : '-', verified_own_voice ? 'yes' : '-', shortDuration(now - created_at), name],
  }))
  const lines = tableLines(['VOICE', 'KIND', 'LOCK', 'STATEMENT', 'AGE', 'NAME'], rows, [8, 6, 6, 9, 8, 38])
  return { value, lines: value.length === 0 ? [`No voices yet. Add one with ${COMMAND} voices add FILE.`] : lines }
}

async function show(call: Call, id: string): Promise<Outcome> {
  const voice = profilesContracts.read.reply.parse(await ofVoice(id, call('GET', at(id))))
  const usage = profilesContracts.usage.reply.parse(await call('GET', at(id, '/usage')))
  return {
    value: { ...voice, usage },
    lines: [...voiceLines(voice), `Used       ${usage.synth_total} takes, ${usage.projects.length} projects`],
  }
}

export function voiceLines(voice: ProfileRow): string[] {
  const { quality, statement } = voice
  const seconds = typeof quality['seconds'] === 'number' ? `${quality['seconds']} s` : 'not rendered yet'
  const warnings = Array.isArray(quality['warnings']) ? quality['warnings'].map(String) : []
  return [
    `Voice      ${voice.id}, ${voice.kind}, ${voice.language}`,
    `Name       ${printable(voice.name)}`,
    `Recording  ${seconds}${voice.is_locked ? ', locked to a take' : ''}`,
    `Words      ${printable(voice.ref_text) || '-'}`,
    ...(voice.instruct === '' ? [] : [`Describes  ${printable(voice.instruct)}`]),
    `Statement  ${statement === null ? 'none' : `${statement.method}: ${printable(voice.consent_text)}`}`,
    ...(voice.stays_here ? ['Stays on this machine'] : []),
    ...warnings.map((warning) => `Note       ${printable(warning)}`),
  ]
}

async function add(call: Call, [file]: readonly string[], options: Options, cwd: string): Promise<Outcome> {
  const { statement, agrees, language, text } = options
  if ((statement === undefined) !== (agrees === undefined))
    throw new Misuse("A statement needs its recording and its words: --statement FILE --agrees 'TEXT'.")
  const path = resolve(cwd, file!)
  const form = new FormData()
  form.set('name', options.name ?? basename(path, extname(path)))
  form.set('ref_audio', await fileAt(path), basename(path))
  if (text !== undefined) form.set('ref_text', text)
  if (language !== undefined) form.set('language', language)
  const consent = new FormData()
  if (statement !== undefined) {
    consent.set('consent_audio', await fileAt(resolve(cwd, statement)), basename(statement))
    consent.set('consent_text', agrees!)
  }
  const created = profilesContracts.create.reply.parse(await call('POST', '', form))
  if (statement !== undefined) await call('POST', at(created.id, '/consent'), consent)
  const value = profilesContracts.read.reply.parse(await call('GET', at(created.id)))
  return { value, lines: voiceLines(value) }
}
async function remove(call: Call, id: string, yes: boolean | undefined, terminal: Terminal): Promise<Outcome> {
  // Deleting an unknown voice is no error for the route; a typing mistake should be one here.
  const { name } = profilesContracts.read.reply.parse(await ofVoice(id, call('GET', at(id))))
  await confirmed(`This deletes the voice ${printable(name)} and its recordings for good.`, yes, terminal)
  return { value: await call('DELETE', at(id)), lines: [`Deleted voice ${printable(name)}.`] }
}
async function lock(call: Call, [id, take]: readonly string[]): Promise<Outcome> {
  // The route answers an unknown take as it does an unknown voice.
  await ofVoice(id!, call('GET', at(id!)))
  const value = soundContracts.lock.reply.parse(await ofTake(take!, call('POST', at(id!, '/lock'), { history_id: take })))
  return { value, lines: [`Voice ${value.profile_id} now follows take ${printable(take!)}.`] }
}
async function unlock(call: Call, id: string): Promise<Outcome> {
  const value = soundContracts.unlock.reply.parse(await ofVoice(id, call('POST', at(id, '/unlock'))))
  return { value, lines: [`Voice ${value.profile_id} follows its recording.`] }
}
