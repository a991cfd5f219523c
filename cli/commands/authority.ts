// `authority`: asks the running studio about the key that certifies its machines, and moves its replacement on by one step.
import { Failure } from '#shared/protocol/failure.ts'
import { type Environment, Misuse, parse, type Run } from '../lib/command.ts'

const STEPS = ['prepare', 'activate', 'retire'] as const
const OPTIONS = { force: { type: 'boolean' }, json: { type: 'boolean' } } as const
type Named = { readonly id: string; readonly name: string }
type View = {
  readonly phase: 'steady' | 'prepared' | 'activated'
  readonly fingerprint: string
  readonly next_fingerprint: string | null
  readonly previous_fingerprint: string | null
  readonly expires_at: number
  readonly behind: Named[]
  readonly must_join_again: Named[]
}
const NEXT: Readonly<Record<View['phase'], string>> = {
  steady: './studio authority prepare begins a replacement',
  prepared: './studio authority activate comes next; the machines listed below do not know the new key yet and will find it all the same',
  activated: './studio authority retire ends it, once no machine is listed below',
}

export const run: Run = async (args, { env, output }) => {
  const { values, positionals } = parse(args, OPTIONS)
  const [verb] = positionals
  const step = STEPS.find((one) => one === verb)
  if (positionals.length !== 1 || (!step && verb !== 'show')) throw new Misuse('write authority show, prepare, activate or retire')
  if (values.force && step !== 'retire') throw new Misuse('only retire can be forced')
  const view = await ask(env, step ? { step, force: values.force ?? false } : null)
  if (values.json) output.write(`${JSON.stringify(view)}\n`)
  else for (const line of linesOf(view)) output.write(`${line}\n`)
  return 0
}

function linesOf(view: View): string[] {
  const list = (title: string, machines: Named[]) => (machines.length ? [title, ...machines.map(({ id, name }) => `  ${id}  ${name}`)] : [])
  return [
    `${view.phase}: ${NEXT[view.phase]}`,
    `in force  ${view.fingerprint}  until ${new Date(view.expires_at * 1000).toISOString().slice(0, 10)}`,
    ...(view.next_fingerprint ? [`next      ${view.next_fingerprint}`] : []),
    ...(view.previous_fingerprint ? [`previous  ${view.previous_fingerprint}`] : []),
    ...list('have not renewed since:', view.behind),
    ...list(view.phase === 'activated' ? 'would have to join again if it were retired now:' : 'must join again:', view.must_join_again),
  ]
}

async function ask(env: Environment, body: object | null): Promise<View> {
  const host = env.STUDIO_HOST || '127.0.0.1'
  // The address that means "every interface" to a listener is no address to call.
  const reachable = ({ '0.0.0.0': '127.0.0.1', '::': '::1' } as Record<string, string>)[host] ?? host
  const url = `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${env.STUDIO_PORT || '3900'}/workers/authority`
  const request = body ? { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } : { method: 'GET' }
  const response = await fetch(url, request).catch((cause: unknown) => {
    throw new Failure('NOT_READY', `no studio answers at ${url}; start one with ./studio`, { cause })
  })
  const answer = (await response.json()) as View & { detail?: unknown }
  if (!response.ok) throw new Failure('CONFLICT', typeof answer.detail === 'string' ? answer.detail : JSON.stringify(answer))
  return answer
}
