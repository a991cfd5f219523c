// `invite`: a join code of the running studio, as text and, on a terminal, as a picture.
import { Misuse, parse, type Run } from '../lib/command.ts'
import { askStudio } from '../lib/studio-api.ts'
import { showQr } from '../views/qr.ts'

const OPTIONS = { label: { type: 'string' }, endpoint: { type: 'string' }, ttl: { type: 'string' } } as const

export const run: Run = async (args, { env, output }) => {
  const { values, positionals } = parse(args, OPTIONS)
  if (positionals.length) throw new Misuse('invite takes options only: invite --label attic')
  const ttl = values.ttl === undefined ? undefined : Number(values.ttl)
  if (ttl !== undefined && !(Number.isInteger(ttl) && ttl >= 60 && ttl <= 86_400)) throw new Misuse('--ttl takes seconds, from 60 to 86400')
  const { token, endpoint, expires_at } = (await askStudio(env, 'POST', '/workers/enrollments', {
    ...(values.label !== undefined && { label: values.label }),
    ...(values.endpoint !== undefined && { endpoint: values.endpoint }),
    ...(ttl !== undefined && { ttl_seconds: ttl }),
  })) as { token: string; endpoint: string; expires_at: number }
  const minutes = Math.max(1, Math.round((expires_at - Date.now() / 1000) / 60))
  output.write(`${token}\n`)
  showQr(token, output)
  output.write(
    `On the machine that shall lend: ./studio agent join CODE\nWorks once, for ${minutes} minute${minutes === 1 ? '' : 's'}, and leads to ${endpoint}. It is not shown again.\n`,
  )
  return 0
}
