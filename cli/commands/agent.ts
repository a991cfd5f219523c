// `agent`: runs and controls the agent of this machine. Commands reach a running agent over its private socket. `join` and `leave` also work
// without one and then change the stored enrolment.
import { createInterface } from 'node:readline'
import { controlPath, createControlClient } from '#shared/link/agent-control.ts'
import type { AgentControl, InboundView } from '#shared/protocol/agent-control.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { readSettings } from '#shared/protocol/settings.ts'
import { systemClock as clock } from '#shared/runtime/clock.ts'
import { type CommandRun, Misuse, parseArguments, type Terminal } from '../lib/command.ts'
import { EXPOSED_WARNING, keyLines, lendingLines, listeningLines } from '../views/agent-view.ts'
import { showQr } from '../views/qr.ts'

type Verb = (agent: AgentControl, args: readonly string[], terminal: Terminal) => Promise<void>

export const run: CommandRun = async (args, terminal) => {
  const [word, ...rest] = await withCode(args, terminal)
  const daemon = async (words: readonly string[]) => (await import('#agent/main.ts')).main(words, terminal.env)
  if (word === undefined || word === 'start') {
    if (rest.length) throw new Misuse('agent start takes no arguments. Settings come from the environment.')
    return daemon([])
  }
  const verb = VERBS[word]
  if (!verb) throw new Misuse(`Unknown agent command '${word}'. Use one of start, ${Object.keys(VERBS).join(', ')}.`)
  const agent = createControlClient(controlPath(readSettings(terminal.env).dataDir), clock)
  // These two need no running agent.
  if ((word === 'join' || word === 'leave') && !(await answers(agent))) return daemon([word, ...rest])
  await verb(agent, rest, terminal).catch((error) => {
    throw isAbsent(error) ? new Failure('NOT_READY', `${error.message} Start one with ./studio agent.`, { cause: error }) : error
  })
  return 0
}

const VERBS: Readonly<Record<string, Verb>> = {
  async join(agent, [code, ...more], { output }) {
    if (code === undefined || more.length) throw new Misuse('agent join takes one join code.')
    const view = await agent.join({ code })
    output.write(`Joined ${view.studio_name} at ${view.endpoint} as ${view.worker_id}. The running agent now lends to it.\n`)
  },

  async status(agent, args, { output }) {
    const { json } = flagsOf(args)
    const [lending, inbound] = [await agent.status({}), await agent.inbound({})]
    if (json) return void output.write(`${JSON.stringify({ lending, inbound })}\n`)
    output.write(`${[...lendingLines(lending), ...listeningLines(inbound, clock.now() / 1000)].join('\n')}\n`)
  },

  async lend(agent, [word, ...more], { output }) {
    if ((word !== 'on' && word !== 'off') || more.length) throw new Misuse('agent lend takes on or off.')
    const view = await agent.lend({ enabled: word === 'on' })
    output.write(`${lendingLines(view).join('\n')}\n`)
  },

  async finish(agent, args, { output }) {
    flagsOf(args)
    const view = await agent.finish({})
    const then = view.daemon ? 'exits' : 'stops lending'
    const unfinished = `${view.held} task${view.held === 1 ? '' : 's'}`
    output.write(
      view.held === 0
        ? `The agent has no unfinished tasks and ${then} now.\n`
        : `The agent finishes ${unfinished}, accepts no new ones, then ${then}.\n`,
    )
  },

  async leave(agent, args, { output }) {
    flagsOf(args)
    await agent.leave({})
    output.write('This machine no longer belongs to a studio.\n')
  },

  async keys(agent, [word, ...rest], { output }) {
    if (word === 'add') {
      const label = rest.join(' ')
      if (label === '' || label.length > 64) throw new Misuse('agent keys add takes the name of a person, 64 characters at most.')
      const { connection_string: text, label: name, exposed, key_id: id } = await agent.issueKey({ label })
      output.write(`${text}\n`)
      showQr(text, output)
      output.write(
        `Give this connection string to ${name} only. It is not shown again.\nIt is bound to the first studio that uses it.\nTo revoke it: ./studio agent keys revoke ${id}\n`,
      )
      if (!exposed) output.write('This machine accepts local connections only. To accept others: ./studio agent listen --bind 0.0.0.0\n')
      return
    }
    if (word === 'revoke') {
      const [id, ...more] = rest
      if (id === undefined || more.length) throw new Misuse('agent keys revoke takes one id. List the ids with ./studio agent keys.')
      await agent.revokeKey({ key_id: id })
      output.write('Revoked. Its user was disconnected and the tasks of that user were stopped.\n')
      return
    }
    const { json } = flagsOf(word === undefined ? [] : [word, ...rest])
    const { keys, sessions } = await agent.inbound({})
    if (json) return void output.write(`${JSON.stringify({ keys, sessions })}\n`)
    output.write(`${keyLines(keys, sessions, clock.now() / 1000).join('\n')}\n`)
  },

  async listen(agent, args, { output }) {
    const { values, positionals } = parseArguments(args, { bind: { type: 'string' }, port: { type: 'string' }, off: { type: 'boolean' } })
    if (positionals.length) throw new Misuse('agent listen takes --bind, --port or --off.')
    const port = values.port === undefined ? 0 : Number(values.port)
    if (!Number.isInteger(port) || port < 0 || port > 65_535 || values.port === '0')
      throw new Misuse('--port takes a number from 1 to 65535.')
    const view: InboundView = await agent.listen({ enabled: !values.off, bind: values.bind ?? '', port })
    output.write(`${listeningLines(view, clock.now() / 1000).join('\n')}\n`)
    if (view.running && view.exposed) output.write(`${EXPOSED_WARNING}\n`)
    if (view.running && view.keys.every(({ revoked }) => revoked))
      output.write('No connection string exists yet. Create one with ./studio agent keys add NAME.\n')
  },
}

function flagsOf(args: readonly string[]): { readonly json: boolean } {
  const { values, positionals } = parseArguments(args, { json: { type: 'boolean' } })
  if (positionals.length) throw new Misuse(`Unexpected argument '${positionals[0]}'.`)
  return { json: values.json ?? false }
}

/** `join -` reads the code from standard input, which keeps it out of the shell history and the process list. */
async function withCode(args: readonly string[], { input, errors }: Terminal): Promise<readonly string[]> {
  if (args.length !== 2 || args[0] !== 'join' || args[1] !== '-') return args
  if (input.isTTY) errors.write('Paste the join code, then press Enter: ')
  const lines = createInterface({ input })
  for await (const line of lines) if (line.trim() !== '') return ['join', line.trim()]
  throw new Misuse('No join code was found on standard input.')
}

async function answers(agent: AgentControl): Promise<boolean> {
  try {
    await agent.status({})
    return true
  } catch (error) {
    if (isAbsent(error)) return false
    throw error
  }
}

/** Only a socket without a listener has a cause. An agent that is still starting reports NOT_READY without one. */
const isAbsent = (error: unknown): error is Failure => error instanceof Failure && error.code === 'NOT_READY' && error.cause !== undefined
