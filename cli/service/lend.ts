// The end of `join`: the machine lends from now on through its service. Where it can have none, the command that lends is named.

import type { Terminal } from '#cli/lib/command.ts'
import { lendingLines } from '#cli/views/agent-view.ts'
import type { AgentControl } from '#shared/protocol/agent-control.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { AGENT_COMMAND } from '#shared/protocol/version.ts'
import { systemClock as clock } from '#shared/runtime/clock.ts'
import { type InstalledService, installService } from './services.ts'

/** Longest start on a slow machine. */
const ANSWER_MS = 90_000
const APPROVAL_MS = 10_000
const STEP_MS = 250

type LendingOutcome = { readonly value: object; readonly lines: readonly string[] }

/** Waits until the agent is connected, or reports how far it is. Without a service the machine has joined all the same. */
export async function lendByService(agent: AgentControl, terminal: Terminal, isUnwanted: boolean): Promise<LendingOutcome> {
  const byHand = `Start lending with: ${AGENT_COMMAND}`
  if (isUnwanted) return { value: { service: false }, lines: [byHand] }
  let installed: InstalledService | null
  try {
    installed = await installService('agent', terminal, { replace: 'no' })
  } catch (error) {
    const reason = Failure.from(error).message
    return {
      value: { service: false, reason },
      lines: [byHand, `No service was installed. ${reason} To try again: ${AGENT_COMMAND} service install`],
    }
  }
  const state = await firstState(agent, async () => (await installed?.found.system.state())?.running ?? false)
  const status = state ? lendingLines(state) : [`The agent does not answer. See ${AGENT_COMMAND} service status.`]
  return { value: { service: true, connected: state?.connected ?? false }, lines: [...(installed?.lines ?? []), ...status] }
}

/**
 * The state of the agent once it is connected and the studio has said if it is approved, or its last one; null if it never answered. Ends early with
 * a service that has ended.
 */
async function firstState(agent: AgentControl, isRunning: () => Promise<boolean>) {
  let until = clock.now() + ANSWER_MS
  let wasConnected = false
  for (;;) {
    const state = await agent.status({}).catch(() => null)
    // A studio of an earlier version does not say it.
    if (state?.connected && !wasConnected) until = Math.min(until, clock.now() + APPROVAL_MS)
    wasConnected = state?.connected ?? false
    if ((wasConnected && typeof state?.approved === 'boolean') || clock.now() >= until || !(await isRunning())) return state
    await new Promise((resolve) => setTimeout(resolve, STEP_MS))
  }
}
