// `engines`: the engines of the running studio for speech, recognition and language models, and why some are not available.
import { z } from 'zod'
import { enginesContracts } from '#control-plane/areas/engines/engines.contract.ts'
import { type CommandRun, parseArguments, refuseArguments } from '../lib/command.ts'
import { requestJson } from '../lib/studio/api.ts'
import { type Row, tableLines } from '../views/table.ts'

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

export const run: CommandRun = async (args, terminal) => {
  const { values, positionals } = parseArguments(args, { json: { type: 'boolean' } })
  refuseArguments('engines', positionals)
  const answer = await requestJson(terminal.env, 'GET', '/engines')
  const engines = Engines.parse(answer)
  if (values.json) terminal.output.write(`${JSON.stringify(answer, null, 2)}\n`)
  else {
    const families = Object.keys(TITLES) as (keyof typeof TITLES)[]
    const blocks = families.map((family) =>
      tableLines([`  ${TITLES[family]}`, 'STATE', 'DEVICE', 'NAME'], rowsOf(engines[family]), [28, 10, 10]),
    )
    const fixed = families.filter((family) => engines[family].env_override)
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
