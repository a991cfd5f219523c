// `audit`: reads the log from the database file, with or without a running studio. The check must not depend on the program that writes
// the log.
import { join } from 'node:path'
import { type CommandRun, Misuse, parseArguments, print, refuseArguments, unknownVerb } from '#cli/lib/command.ts'
import { studioFolder } from '#cli/lib/studio/folder.ts'
import { readAudit, verifyAudit } from '#control-plane/audit/audit-log.store.ts'

const OPTIONS = { last: { type: 'string' }, json: { type: 'boolean' }, head: { type: 'string' } } as const

export const run: CommandRun = async (args, { env, output }) => {
  const { values, positionals } = parseArguments(args, OPTIONS)
  const path = join(studioFolder(env), 'studio.db')
  const [verb] = positionals
  if (verb !== 'verify' && verb !== 'show') throw unknownVerb('audit', verb, ['verify', 'show'])
  refuseArguments(`audit ${verb}`, positionals.slice(1))

  if (verb === 'show') {
    const last = values.last ?? '50'
    if (!/^[1-9]\d{0,8}$/.test(last)) throw new Misuse('--last takes a number from 1.')
    const entries = (await readAudit(path, Number(last))).map(({ detail, previous: _, ...entry }) => {
      const at = new Date(entry.at).toISOString()
      const line = `${entry.seq}  ${at}  ${entry.kind}  ${entry.subject}  ${detail}`
      return { line, view: { ...entry, at, detail: parsedDetail(detail) } }
    })
    print({ value: entries.map(({ view }) => view), lines: entries.map(({ line }) => line) }, values.json, output)
    return 0
  }
  if (values.head !== undefined && !/^\d{1,15}:[0-9a-f]{64}$/.test(values.head))
    throw new Misuse('--head takes COUNT:DIGEST as printed by audit verify.')
  const { count, head, brokenAt, why } = await verifyAudit(path, values.head ?? null)
  const isIntact = brokenAt === null
  const line = isIntact
    ? `The audit log is intact: ${count} entries, head ${head}`
    : `The audit log is broken at entry ${brokenAt}: ${why}. The ${count} entries before it are intact.`
  print({ value: { intact: isIntact, entries: count, head, broken_at: brokenAt, why }, lines: [line] }, values.json, output)
  return isIntact ? 0 : 1
}

/** A tampered entry may not be JSON; its text is then returned unchanged. */
function parsedDetail(detail: string): unknown {
  try {
    return JSON.parse(detail)
  } catch {
    return detail
  }
}
