// The agent of a package: how it is started from the program folder, how an update reaches the one that runs, and its commands.
import { ROOT, type Terminal } from '#cli/lib/command.ts'
import { studioFolder } from '#cli/lib/studio/folder.ts'
import { controlPath, createControlClient } from '#shared/link/agent-control.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { AGENT_COMMAND } from '#shared/protocol/version.ts'
import { systemClock as clock } from '#shared/runtime/clock.ts'
import { type Launched, launch } from './launch.ts'
import { runRollback } from './rollback.ts'
import { requirePackage } from './trial.ts'
import { type Runner, runUpdate } from './update.ts'

/** `args`: the words after the command of the agent. */
export function launchAgent(
  args: readonly string[],
  { env, errors }: Terminal,
  run: (launched: Launched) => Promise<number>,
): Promise<number> {
  const words = [...AGENT_COMMAND.split(' ').slice(1), ...args]
  return launch({ dataFolder: studioFolder(env), root: ROOT, words, env, data: null, errors, run })
}

/** Reaches an agent that runs with this data folder and is no part of a studio. */
export function agentRunner(dataFolder: string): Runner {
  const agent = createControlClient(controlPath(dataFolder), clock)
  return {
    async running() {
      try {
        const { daemon } = await agent.status({})
        return daemon ? { version: null } : null
      } catch (error) {
        if (Failure.from(error).code === 'NOT_READY') return null
        throw error
      }
    },
    // It finishes all of its tasks: their studio gives the next ones to other machines meanwhile.
    async finish() {
      const { pid } = await agent.finish({})
      return pid
    },
    address: null,
  }
}

const parts = (terminal: Terminal) => {
  const dataFolder = studioFolder(terminal.env)
  return {
    command: AGENT_COMMAND,
    dataFolder,
    data: null,
    trial: () => ({ changesDatabase: false, objection: null }),
    runners: [agentRunner(dataFolder)],
  }
}
export async function updateAgent(args: readonly string[], terminal: Terminal): Promise<number> {
  requirePackage('update', args, terminal.env)
  return runUpdate(args, terminal, parts(terminal))
}
export async function rollbackAgent(args: readonly string[], terminal: Terminal): Promise<number> {
  requirePackage('rollback', args, terminal.env)
  return runRollback(args, terminal, parts(terminal))
}
