// `agent keys`: the connection strings of this machine.

import { Misuse, type Outcome, type Terminal } from '#cli/lib/command.ts'
import { keyLines } from '#cli/views/agent-view.ts'
import { qrLines } from '#cli/views/qr.ts'
import type { AgentControl } from '#shared/protocol/agent-control.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { AGENT_COMMAND } from '#shared/protocol/version.ts'

export async function addKey(agent: AgentControl, label: string, { output }: Terminal): Promise<Outcome> {
  if (label === '' || label.length > 64) throw new Misuse('agent keys add takes the name of a person, 64 characters at most.')
  if (!(await agent.inbound({})).running)
    throw new Failure(
      'CONFLICT',
      `This machine does not listen yet, so a connection string would not work. First run ${AGENT_COMMAND} listen.`,
    )
  const key = await agent.issueKey({ label })
  return {
    value: key,
    lines: [
      key.connection_string,
      ...qrLines(key.connection_string, output),
      `Give this connection string to ${key.label} only. It is not shown again.`,
      'It is bound to the first studio that uses it.',
      `To revoke it: ${AGENT_COMMAND} keys revoke ${key.key_id}`,
      ...(key.exposed ? [] : [`This machine accepts local connections only. To accept others: ${AGENT_COMMAND} listen --bind 0.0.0.0`]),
    ],
  }
}

export async function revokeKey(agent: AgentControl, [id, ...more]: readonly string[]): Promise<Outcome> {
  if (id === undefined || more.length) throw new Misuse(`agent keys revoke takes one id. List the ids with ${AGENT_COMMAND} keys.`)
  const view = await agent.revokeKey({ key_id: id }).catch((error: unknown) => {
    if (error instanceof Failure && error.code === 'NOT_FOUND')
      throw new Failure('NOT_FOUND', `${error.message} List them with ${AGENT_COMMAND} keys.`, { cause: error })
    throw error
  })
  return { value: view, lines: ['Revoked. Its user was disconnected and the tasks of that user were stopped.'] }
}

/** `now`: epoch seconds. */
export async function listKeys(agent: AgentControl, now: number): Promise<Outcome> {
  const { keys, sessions } = await agent.inbound({})
  return { value: { keys, sessions }, lines: keyLines(keys, sessions, now) }
}
