// `engines`: the engines of the running studio for speech, recognition and language models, why some are not available, and which one is used.

import { z } from 'zod'
import { type CommandRun, Misuse, parseArguments, type Terminal, unknownVerb } from '#cli/lib/command.ts'
import { selectEngine } from '#cli/lib/engine-choice.ts'
import { requestJson } from '#cli/lib/studio/api.ts'
import { type Row, tableLines } from '#cli/views/table.ts'
import { enginesContracts } from '#control-plane/features/machines/engines/engines.contract.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { COMMAND } from '#shared/protocol/version.ts'

const { asr } = enginesContracts.list.reply.shape
const Backend = asr.shape.backends.element.pick({
  id: true,
  display_name: true,
  available: true,
  reason: true,
  install_hint: true,
  effective_device: true,
  routing_status: true,
  routing_reason: true,
})
const Family = asr.pick({ active: true, env_override: true }).extend({ backends: z.array(Backend) })
const Engines = z.object({ tts: Family, asr: Family, llm: Family })
const TITLES = { tts: 'SPEECH', asr: 'RECOGNITION', llm: 'LANGUAGE MODELS' } as const
const PURPOSES = { tts: 'speech', asr: 'recognition', llm: 'language models' } as const
const FAMILIES = Object.keys(TITLES) as (keyof typeof TITLES)[]

export const run: CommandRun = async (args, terminal) => {
  const { values, positionals } = parseArguments(args, { json: { type: 'boolean' } })
  const [verb, id, ...rest] = positionals
  if (verb === undefined) return list(values.json === true, terminal)
  if (verb !== 'use') throw unknownVerb('engines', verb, ['use'])
  if (!id?.trim() || rest.length > 0) throw new Misuse(`Name one engine: engines use ID. List them with ${COMMAND} engines.`)
  return use(id, values.json === true, terminal)
}

async function use(id: string, json: boolean, { env, output }: Terminal): Promise<number> {
  const engines = Engines.parse(await requestJson(env, 'GET', '/engines'))
  const family = FAMILIES.find((each) => engines[each].backends.some((backend) => backend.id === id))
  if (!family) throw new Failure('NOT_FOUND', `There is no engine '${id}'. List them with ${COMMAND} engines.`)
  const answer = await selectEngine(env, family, id)
  if (json) output.write(`${JSON.stringify(answer, null, 2)}\n`)
  else {
    const name = engines[family].backends.find((backend) => backend.id === answer.active)?.display_name ?? answer.active
    output.write(`${name} is the default for ${PURPOSES[family]} now.\n`)
    if (answer.active !== id) output.write(`${id} was stored, but the environment of the studio names ${answer.active}.\n`)
  }
  return 0
}

async function list(json: boolean, terminal: Terminal): Promise<number> {
  const answer = await requestJson(terminal.env, 'GET', '/engines')
  const engines = Engines.parse(answer)
  if (json) terminal.output.write(`${JSON.stringify(answer, null, 2)}\n`)
  else {
    const blocks = FAMILIES.map((family) =>
      tableLines([`  ${TITLES[family]}`, 'STATE', 'DEVICE', 'NAME'], rowsOf(engines[family]), [28, 10, 10]),
    )
    const fixed = FAMILIES.filter((family) => engines[family].env_override)
    terminal.output.write(`${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n\n* default, used when a request names no engine\n`)
    if (fixed.length > 0) terminal.output.write(`Set by the environment: ${fixed.map((family) => engines[family].active).join(', ')}\n`)
  }
  return 0
}

/** Available engines first; the others with the reason and what to do. */
function rowsOf({ active, backends }: z.output<typeof Family>): Row[] {
  const rows = [...backends.filter(({ available }) => available), ...backends.filter(({ available }) => !available)]
  return rows.map(({ id, display_name, available, reason, install_hint, effective_device, routing_reason }) => ({
    cells: [`${id === active ? '*' : ' '} ${id}`, available ? 'ready' : 'missing', available ? effective_device : '-', display_name],
    notes: available ? (routing_reason ? [routing_reason] : []) : [[reason, install_hint].filter(Boolean).join(' ')],
  }))
}
