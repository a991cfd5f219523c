// `invite`: creates a join code on the running studio and prints it as text and, on a terminal, as a QR code.

import { type CommandRun, Misuse, parseArguments, print, refuseArguments } from '#cli/lib/command.ts'
import { requestJson } from '#cli/lib/studio/api.ts'
import { qrLines } from '#cli/views/qr.ts'
import { workersContracts } from '#control-plane/features/machines/workers/workers.contract.ts'
import type { JOIN_WAYS } from '#shared/protocol/codes/join-code.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { COMMAND } from '#shared/protocol/version.ts'

const OPTIONS = { label: { type: 'string' }, endpoint: { type: 'string' }, ttl: { type: 'string' }, json: { type: 'boolean' } } as const
const Reply = workersContracts.createEnrollment.reply
// A studio of an earlier version sends no lines.
const Enrollment = Reply.pick({ token: true, endpoint: true, expires_at: true }).extend({ commands: Reply.shape.commands.default([]) })
const WAYS: Readonly<Record<(typeof JOIN_WAYS)[number], string>> = {
  npx: 'With Node 22.18 or newer',
  container: 'In a container',
  files: 'In a folder with the packed files',
  checkout: 'In a checkout',
}
const Fleet = workersContracts.list.reply.pick({ running: true })

export const run: CommandRun = async (args, { env, output }) => {
  const { values, positionals } = parseArguments(args, OPTIONS)
  refuseArguments('invite', positionals)
  const ttl = values.ttl === undefined ? undefined : Number(values.ttl)
  if (ttl !== undefined && !(Number.isInteger(ttl) && ttl >= 60 && ttl <= 86_400))
    throw new Misuse('--ttl takes a number of seconds from 60 to 86400.')
  if (!Fleet.parse(await requestJson(env, 'GET', '/workers')).running)
    throw new Failure('CONFLICT', `Remote machines are off, so a join code would not work yet. First run ${COMMAND} workers on.`)
  const answer = await requestJson(env, 'POST', '/workers/enrollments', {
    ...(values.label !== undefined && { label: values.label }),
    ...(values.endpoint !== undefined && { endpoint: values.endpoint }),
    ...(ttl !== undefined && { ttl_seconds: ttl }),
  })
  const { token, endpoint, expires_at, commands } = Enrollment.parse(answer)
  const minutes = Math.max(1, Math.round((expires_at - Date.now() / 1000) / 60))
  const lines = [
    token,
    ...qrLines(token, output),
    'On the lending machine, run one of these, with the code in the place of CODE:',
    ...commands.map(({ way, line }) => `  ${WAYS[way]}: ${line}`),
    `The code connects to ${endpoint}, works once and expires in ${minutes} minute${minutes === 1 ? '' : 's'}. It is not shown again.`,
  ]
  print({ value: { token, endpoint, expires_at, commands }, lines }, values.json, output)
  return 0
}
