// The engine that requests use which name none.

import { createInterface as createDialogue } from 'node:readline/promises'
import { z } from 'zod'
import { enginesContracts } from '#control-plane/features/machines/engines/engines.contract.ts'
import type { EngineFamily } from '#shared/engines.ts'
import { COMMAND } from '#shared/protocol/version.ts'
import { canAsk, type Environment, type Terminal } from './command.ts'
import { requestJson } from './studio/api.ts'

const Selected = enginesContracts.select.reply.pick({ family: true, active: true, env_override: true })

/** Throws the refusal of the studio, for example for an engine without its model. */
export async function selectEngine(env: Environment, family: EngineFamily, id: string): Promise<z.output<typeof Selected>> {
  return Selected.parse(await requestJson(env, 'POST', '/engines/select', { family, backend_id: id }))
}

const Chosen = z.object({ active: z.string() })
const Engines = z.object({ tts: Chosen, asr: Chosen })
/** The families of models that a request can name. */
const FAMILIES = { TTS: ['tts', 'speech'], ASR: ['asr', 'recognition'] } as const
type Installed = { readonly label: string; readonly engine: string; readonly role: string }

/** After an installation: on a terminal, asks whether requests use the engine of the model from now on; otherwise names the command. */
export async function offerAsDefault({ label, engine, role }: Installed, terminal: Terminal): Promise<void> {
  const { env, input, output, errors, alerts = errors } = terminal
  if (role !== 'TTS' && role !== 'ASR') return
  const [family, purpose] = FAMILIES[role]
  if (Engines.parse(await requestJson(env, 'GET', '/engines'))[family].active === engine) return
  if (!canAsk(terminal)) {
    output.write(`Use it for ${purpose} by default: ${COMMAND} engines use ${engine}\n`)
    return
  }
  const lines = createDialogue({ input, output: alerts })
  const answer = await lines.question(`Use ${label} for ${purpose} by default? [Y/n] `).finally(() => lines.close())
  if (!/^(y(es)?)?$/i.test(answer.trim())) return
  await selectEngine(env, family, engine)
  output.write(`${label} is the default for ${purpose} now.\n`)
}
