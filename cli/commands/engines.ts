// `engines`: what the running studio can speak, recognise and ask with, what it cannot, and why not.
import { z } from 'zod'
import { Misuse, parse, type Run } from '../lib/command.ts'
import { askStudio } from '../lib/studio-api.ts'
import { type Row, tableLines } from '../views/table.ts'

const Backend = z.object({
  id: z.string(),
  display_name: z.string(),
  available: z.boolean(),
  reason: z.string().nullable(),
  install_hint: z.string(),
  effective_device: z.string(),
  routing_status: z.string(),
  routing_reason: z.string().nullable(),
})
const Family = z.object({ active: z.string(), env_override: z.boolean(), backends: z.array(Backend) })
const Engines = z.object({ tts: Family, asr: Family, llm: Family })
const TITLES = { tts: 'SPEECH', asr: 'RECOGNITION', llm: 'LANGUAGE MODELS' } as const

export const run: Run = async (args, terminal) => {
  const { values, positionals } = parse(args, { json: { type: 'boolean' } })
  if (positionals.length > 0) throw new Misuse(`engines takes no names, only --json; '${positionals[0]}' is too much`)
  const answer = await askStudio(terminal.env, 'GET', '/engines')
  const engines = Engines.parse(answer)
  if (values.json) terminal.output.write(`${JSON.stringify(answer, null, 2)}\n`)
  else {
    const families = Object.keys(TITLES) as (keyof typeof TITLES)[]
    const blocks = families.map((family) =>
      tableLines([`  ${TITLES[family]}`, 'STATE', 'DEVICE', 'NAME'], rowsOf(engines[family]), [28, 10, 10]),
    )
    const chosen = families.filter((family) => engines[family].env_override)
    terminal.output.write(`${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n\n* is what is used when a request names none.\n`)
    if (chosen.length > 0)
      terminal.output.write(`Chosen by the environment: ${chosen.map((family) => engines[family].active).join(', ')}.\n`)
  }
  return 0
}

/** What works comes first; of the others the reason is told once, with what to do. */
function rowsOf({ active, backends }: z.output<typeof Family>): Row[] {
  const works = backends.filter(({ available }) => available)
  const rows = [...works, ...backends.filter(({ available }) => !available)]
  return rows.map(({ id, display_name, available, reason, install_hint, effective_device, routing_reason }) => ({
    cells: [`${id === active ? '*' : ' '} ${id}`, available ? 'works' : 'missing', available ? effective_device : '-', display_name],
    notes: available ? (routing_reason ? [routing_reason] : []) : [[reason, install_hint].filter(Boolean).join(' ')],
  }))
}
