// `authority`: shows the key with which the running studio certifies its machines, and runs one step of its rotation.

import { z } from 'zod'
import { type CommandRun, Misuse, parseArguments, refuseArguments, unknownVerb } from '#cli/lib/command.ts'
import { requestJson } from '#cli/lib/studio/api.ts'
import { COMMAND } from '#shared/protocol/version.ts'

const STEPS = ['prepare', 'activate', 'retire'] as const
const OPTIONS = { force: { type: 'boolean' }, json: { type: 'boolean' } } as const
const Machine = z.object({ id: z.string(), name: z.string() })
const AuthorityAnswer = z.object({
  phase: z.enum(['steady', 'prepared', 'activated']),
  fingerprint: z.string(),
  next_fingerprint: z.string().nullable(),
  previous_fingerprint: z.string().nullable(),
  /** Epoch seconds. */
  expires_at: z.number(),
  behind: z.array(Machine),
  must_join_again: z.array(Machine),
})
type AuthorityView = z.output<typeof AuthorityAnswer>
const NEXT_STEP: Readonly<Record<AuthorityView['phase'], string>> = {
  steady: `To replace the key: ${COMMAND} authority prepare`,
  prepared: `Next step: ${COMMAND} authority activate. The machines listed below have not received the new key; they can receive it later.`,
  activated: `Last step: ${COMMAND} authority retire, once no machine is listed below.`,
}

export const run: CommandRun = async (args, { env, output }) => {
  const { values, positionals } = parseArguments(args, OPTIONS)
  const [verb] = positionals
  const step = STEPS.find((one) => one === verb)
  if (!step && verb !== 'show') throw unknownVerb('authority', verb, ['show', ...STEPS])
  refuseArguments(`authority ${verb}`, positionals.slice(1))
  if (values.force && step !== 'retire') throw new Misuse('--force is valid for authority retire only.')
  const body = step === undefined ? undefined : { step, force: values.force ?? false }
  const answer = await requestJson(env, step ? 'POST' : 'GET', '/workers/authority', body)
  if (values.json) output.write(`${JSON.stringify(answer)}\n`)
  else for (const line of authorityLines(AuthorityAnswer.parse(answer))) output.write(`${line}\n`)
  return 0
}

function authorityLines(view: AuthorityView): string[] {
  const list = (title: string, machines: AuthorityView['behind']) =>
    machines.length ? [title, ...machines.map(({ id, name }) => `  ${id}  ${name}`)] : []
  return [
    `State: ${view.phase}`,
    `current   ${view.fingerprint}  until ${new Date(view.expires_at * 1000).toISOString().slice(0, 10)}`,
    ...(view.next_fingerprint ? [`next      ${view.next_fingerprint}`] : []),
    ...(view.previous_fingerprint ? [`previous  ${view.previous_fingerprint}`] : []),
    NEXT_STEP[view.phase],
    ...list('Not renewed yet:', view.behind),
    ...list(view.phase === 'activated' ? 'Must join again if you retire the old key now:' : 'Must join again:', view.must_join_again),
  ]
}
