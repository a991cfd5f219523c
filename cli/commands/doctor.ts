// `doctor`: looks at this machine as the studio will meet it, and says of each thing whether it is well and what to do where it is not.
// It changes nothing, and works without a running studio.
import { homedir } from 'node:os'
import { readSettings, type Settings } from '#shared/protocol/settings.ts'
import { type Check, checkMachine, checkPrograms, checkStudio } from '../doctor/checks.ts'
import { checkDevices } from '../doctor/devices.ts'
import { Misuse, parse, type Run } from '../lib/command.ts'
import { tableLines } from '../views/table.ts'

const MARKS = { ok: 'ok', warn: 'warn', fail: 'FAIL' } as const

export const run: Run = async (args, terminal) => {
  const { values, positionals } = parse(args, { json: { type: 'boolean' } })
  if (positionals.length > 0) throw new Misuse(`doctor takes no names, only --json; '${positionals[0]}' is too much`)
  const { env } = terminal
  const { settings, refusal } = settingsIn(env)
  const checks: Check[] = [
    ...(refusal ? [refusal] : []),
    ...(await checkMachine(settings?.dataDir ?? homedir(), Date.now())),
    ...(await checkPrograms(env, terminal.interrupted())),
    await checkDevices(),
    ...(settings ? await checkStudio(env, settings) : []),
  ]
  const failed = checks.some(({ status }) => status === 'fail')
  if (values.json) terminal.output.write(`${JSON.stringify({ ok: !failed, checks }, null, 2)}\n`)
  else {
    const rows = checks.map(({ id, status, detail, fix }) => ({
      cells: [id, MARKS[status], ''],
      notes: [detail, ...(fix ? [`-> ${fix}`] : [])],
    }))
    const lines = tableLines(['CHECK', 'STATE', ''], rows, [24, 6])
    terminal.output.write(
      `${lines.join('\n')}\n\n${failed ? 'Something must be mended first: see FAIL above.' : 'The studio can run here.'}\n`,
    )
  }
  return failed ? 1 : 0
}

function settingsIn(env: Readonly<Record<string, string | undefined>>): { settings: Settings | null; refusal: Check | null } {
  try {
    return { settings: readSettings(env), refusal: null }
  } catch (error) {
    const detail = (error as Error).message
      .split('\n')
      .map((line) => line.trim())
      .join('; ')
    return {
      settings: null,
      refusal: { id: 'settings', status: 'fail', detail, fix: 'Correct these in the environment; README.md lists them.' },
    }
  }
}
