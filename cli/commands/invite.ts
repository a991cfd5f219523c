// `invite`: creates a join code on the running studio and prints it as text and, on a terminal, as a QR code.
import { type CommandRun, Misuse, parseArguments } from '../lib/command.ts'
import { requestJson } from '../lib/studio-api.ts'
import { showQr } from '../views/qr.ts'

const OPTIONS = { label: { type: 'string' }, endpoint: { type: 'string' }, ttl: { type: 'string' } } as const

export const run: CommandRun = async (args, { env, output }) => {
  const { values, positionals } = parseArguments(args, OPTIONS)
  if (positionals.length) throw new Misuse('invite takes options only, for example: invite --label attic')
  const ttl = values.ttl === undefined ? undefined : Number(values.ttl)
  if (ttl !== undefined && !(Number.isInteger(ttl) && ttl >= 60 && ttl <= 86_400))
    throw new Misuse('--ttl takes a number of seconds from 60 to 86400.')
  const { token, endpoint, expires_at } = (await requestJson(env, 'POST', '/workers/enrollments', {
    ...(values.label !== undefined && { label: values.label }),
    ...(values.endpoint !== undefined && { endpoint: values.endpoint }),
    ...(ttl !== undefined && { ttl_seconds: ttl }),
  })) as { token: string; endpoint: string; expires_at: number }
  const minutes = Math.max(1, Math.round((expires_at - Date.now() / 1000) / 60))
  output.write(`${token}\n`)
  showQr(token, output)
  output.write(
    `On the lending machine, run: ./studio agent join CODE\nThe code connects to ${endpoint}, works once and expires in ${minutes} minute${minutes === 1 ? '' : 's'}. It is not shown again.\n`,
  )
  return 0
}
