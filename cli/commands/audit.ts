// `audit`: reads the log in the database file itself, whether a studio runs on it or not: the program that writes the log is not asked
// whether it is whole.
import { join } from 'node:path'
import { readAudit, verifyAudit } from '#control-plane/trust/audit.store.ts'
import { readSettings } from '#shared/protocol/settings.ts'
import { Misuse, parse, type Run } from '../lib/command.ts'

const OPTIONS = { last: { type: 'string' }, json: { type: 'boolean' }, head: { type: 'string' } } as const

export const run: Run = async (args, { env, output }) => {
  const { values, positionals } = parse(args, OPTIONS)
  const path = join(readSettings(env).dataDir, 'studio.db')
  const [verb] = positionals
  if (positionals.length !== 1 || (verb !== 'verify' && verb !== 'show')) throw new Misuse('write audit verify or audit show')

  if (verb === 'show') {
    const last = values.last ?? '50'
    if (!/^[1-9]\d{0,8}$/.test(last)) throw new Misuse('--last takes a number from 1')
    for (const { detail, previous: _, ...entry } of readAudit(path, Number(last))) {
      const when = new Date(entry.at).toISOString()
      const told = { ...entry, at: when, detail: readable(detail) }
      output.write(values.json ? `${JSON.stringify(told)}\n` : `${entry.seq}  ${when}  ${entry.kind}  ${entry.subject}  ${detail}\n`)
    }
    return 0
  }
  if (values.head !== undefined && !/^\d{1,15}:[0-9a-f]{64}$/.test(values.head))
    throw new Misuse('--head takes COUNT:DIGEST as audit verify tells it')
  const { count, head, brokenAt, why } = verifyAudit(path, values.head ?? null)
  if (brokenAt !== null) {
    output.write(`The audit log is broken at entry ${brokenAt}: ${why}. The ${count} entries before that fit.\n`)
    return 1
  }
  output.write(`The audit log is whole: ${count} entries, head ${head}\n`)
  return 0
}

/** An entry that was tampered with is shown as it is. */
function readable(detail: string): unknown {
  try {
    return JSON.parse(detail)
  } catch {
    return detail
  }
}
