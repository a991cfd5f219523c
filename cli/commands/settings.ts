// `settings`: lists, shows and changes the settings of the running studio. Secrets come from standard input only, so that they are neither in the
// shell history nor in the process list.

import { resolve } from 'node:path'
import type { z } from 'zod'
import { type CommandRun, Misuse, parseArguments, print, refuseArguments, type Terminal, unknownVerb } from '#cli/lib/command.ts'
import { secretArgument } from '#cli/lib/secret-argument.ts'
import { requestJson } from '#cli/lib/studio/api.ts'
import { studioFolder } from '#cli/lib/studio/folder.ts'
import { valueContracts } from '#control-plane/features/base/settings/values/values.contract.ts'
import { authorizationsFolder, writePathAuthorization } from '#control-plane/store/files/path-authorization.ts'
import { COMMAND } from '#shared/protocol/version.ts'
import { systemRandom } from '#shared/runtime/random.ts'

const Row = valueContracts.get.reply
type SettingRow = z.output<typeof Row>
type Change = { readonly method: string; readonly path: string; readonly body?: unknown }

const API = '/api/settings'
const VERBS = ['list', 'get', 'set', 'rotate-key']

export const run: CommandRun = async (args, terminal) => {
  const { values, positionals } = parseArguments(args, { json: { type: 'boolean' }, all: { type: 'boolean' } })
  const { env, output } = terminal
  const [verb, key, text, ...more] = positionals
  if (verb === 'list') {
    refuseArguments('settings list [WORD]', positionals.slice(2))
    const { settings } = valueContracts.list.reply.parse(await requestJson(env, 'GET', `${API}/values`))
    const word = key?.toLowerCase() ?? ''
    const found = settings.filter((row) => `${row.key} ${row.summary}`.toLowerCase().includes(word))
    if (found.length === 0) throw new Misuse(`No setting contains '${key}'. List all with ${COMMAND} settings list --all.`)
    const shown = values.all || word !== '' ? found : found.filter(({ source }) => source !== 'default')
    print({ value: values.all || word !== '' ? shown : settings, lines: listed(shown, found.length - shown.length) }, values.json, output)
    return 0
  }
  if (verb === 'get') {
    refuseArguments('settings get KEY', positionals.slice(2))
    const row = await read(terminal, key)
    print({ value: row, lines: [`${lineOf(row)}  (${row.source})`, row.summary] }, values.json, output)
    return 0
  }
  if (verb === 'set') {
    refuseArguments('settings set KEY VALUE', more)
    const row = await read(terminal, key)
    if (text === undefined) throw new Misuse(`The value is missing. Write ${COMMAND} settings set ${row.key} ${row.secret ? '-' : 'VALUE'}`)
    if (row.secret && text !== '-' && text !== '')
      throw new Misuse(`${row.key} is a secret. Write - as its value and send it on standard input; '' removes it.`)
    const { method, path, body } = changeOf(
      row,
      row.secret && text === '-' ? await secretArgument(text, 'secret', terminal) : text,
      terminal,
    )
    await requestJson(env, method, path, body)
    const changed = await read(terminal, row.key)
    print({ value: changed, lines: [lineOf(changed)] }, values.json, output)
    return 0
  }
  if (verb === 'rotate-key') {
    refuseArguments('settings rotate-key', positionals.slice(1))
    const { rotated } = valueContracts.rotateKey.reply.parse(await requestJson(env, 'POST', `${API}/secrets/rotate`))
    print({ value: { rotated }, lines: [`Encrypted with a new key: ${rotated}.`] }, values.json, output)
    return 0
  }
  throw unknownVerb('settings', verb, VERBS)
}

async function read({ env }: Terminal, key: string | undefined): Promise<SettingRow> {
  if (key === undefined) throw new Misuse(`The key of the setting is missing. List all with ${COMMAND} settings list.`)
  return Row.parse(await requestJson(env, 'GET', `${API}/values/${encodeURIComponent(key)}`))
}

/** `key = value`, where a secret shows only whether it is set. */
const lineOf = ({ key, value, secret, is_set }: SettingRow): string =>
  `${key} = ${secret ? (is_set ? '(set)' : '(not set)') : JSON.stringify(value)}`

/** In groups by the first word of the key. `hidden`: how many have their default and are not shown. */
function listed(rows: readonly SettingRow[], hidden: number): string[] {
  const groups = Map.groupBy(rows, ({ key }) => key.split(/[._]/, 1)[0]!)
  const lines = [...groups].flatMap(([name, group]) => [name, ...group.map((row) => `  ${lineOf(row)}`), ''])
  if (hidden === 0) return lines.slice(0, -1)
  const rest = rows.length === 0 ? `All ${hidden} settings have their default.` : `${hidden} more settings have their default.`
  return [...lines, `${rest} List all with ${COMMAND} settings list --all, or some with ${COMMAND} settings list WORD.`]
}

/** The request that changes a setting: its own route if it has one, else the route for every setting. */
function changeOf({ key, default: usual }: SettingRow, text: string, terminal: Terminal): Change {
  const provider = /^llm\.provider\.([a-z0-9-]{1,64})(\.key)?$/.exec(key)
  if (provider?.[2]) return { method: 'PUT', path: `${API}/llm-providers/${provider[1]}`, body: { api_key: text } }
  if (provider) return { method: 'PUT', path: `${API}/llm-providers/${provider[1]}`, body: parsed(text, key) }
  const family = /^(tts|asr|llm)_backend$/.exec(key)?.[1]
  if (family) return { method: 'POST', path: '/engines/select', body: { family, backend_id: text } }
  switch (key) {
    case 'hub.token':
      return text === ''
        ? { method: 'DELETE', path: `${API}/hf-token` }
        : { method: 'POST', path: `${API}/hf-token`, body: { token: text } }
    case 'hub.mirror':
      return { method: 'PUT', path: `${API}/hf-mirror`, body: text === 'auto' ? { url: '', mode: 'auto' } : { url: text, mode: 'manual' } }
    case 'llm.active':
      return { method: 'POST', path: `${API}/llm-providers/active`, body: { provider: text } }
    case 'compute.device':
      return { method: 'PUT', path: `${API}/compute-device`, body: { value: text } }
    case 'storage.models_dir':
      return { method: 'PUT', path: `${API}/storage/models-dir`, body: { authorization: authorize(text, terminal) } }
    default:
      return {
        method: 'PUT',
        path: `${API}/values/${encodeURIComponent(key)}`,
        body: { value: typeof usual === 'string' ? text : parsed(text, key) },
      }
  }
}

function parsed(text: string, key: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Misuse(`${key} takes a JSON value such as 5, true or {"cap": 5}. Quote it for the shell.`)
  }
}

/** Works only on the machine of the studio and as its user, because the authorization is a file in the data directory. */
function authorize(path: string, { env, cwd }: Terminal): string {
  const dataDir = studioFolder(env)
  return writePathAuthorization(
    authorizationsFolder(dataDir),
    { kind: 'models_dir', path: path === '' ? '' : resolve(cwd, path) },
    systemRandom,
  )
}
