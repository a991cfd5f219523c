// `doctor`: checks this machine and prints for each problem what to do. It changes nothing and works without a running studio.
import { homedir } from 'node:os'
import { createDeviceTrial } from '#agent/engine/runtimes/onnx/trial/trial.ts'
import { gpuEnvironment } from '#agent/gpu/folder.ts'
import { checkMachine, checkPrograms, checkStudio, type DoctorCheck } from '#cli/doctor/checks.ts'
import { checkDevices } from '#cli/doctor/devices.ts'
import { type CommandRun, type Environment, parseArguments, refuseArguments } from '#cli/lib/command.ts'
import { tableLines } from '#cli/views/table.ts'
import { readSettings, type Settings } from '#shared/protocol/settings.ts'
import { childEnvironment } from '#shared/runtime/child/environment.ts'

/** Environment of engine hosts, with the CUDA parts that are installed. */
const deviceEnvironment = (env: Environment, settings: Settings | null): Record<string, string> => {
  const environment = childEnvironment(env)
  return settings ? gpuEnvironment(environment, settings.dataDir) : environment
}

const MARKS = { ok: 'ok', warn: 'warn', fail: 'FAIL' } as const

export const run: CommandRun = async (args, terminal) => {
  const { values, positionals } = parseArguments(args, { json: { type: 'boolean' } })
  refuseArguments('doctor', positionals)
  const { env } = terminal
  const { settings, invalid } = settingsIn(env)
  const checks: DoctorCheck[] = [
    ...(invalid ? [invalid] : []),
    ...(await checkMachine(settings?.dataDir ?? homedir(), Date.now())),
    ...(await checkPrograms(env, terminal.interrupted())),
    await checkDevices({ trial: createDeviceTrial({ environment: deviceEnvironment(env, settings) }) }),
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
      `${lines.join('\n')}\n\n${failed ? 'The studio cannot run here yet. Fix the checks marked FAIL first.' : 'The studio can run here.'}\n`,
    )
  }
  return failed ? 1 : 0
}

function settingsIn(env: Readonly<Record<string, string | undefined>>): { settings: Settings | null; invalid: DoctorCheck | null } {
  try {
    // Commands accept the address of a studio elsewhere as a URL.
    const isUrl = env['STUDIO_HOST']?.includes('://') === true
    return { settings: readSettings(isUrl ? { ...env, STUDIO_HOST: undefined } : env), invalid: null }
  } catch (error) {
    const detail = (error as Error).message
      .split('\n')
      .map((line) => line.trim())
      .join('; ')
    return {
      settings: null,
      invalid: { id: 'settings', status: 'fail', detail, fix: 'Correct these variables. README.md lists all settings.' },
    }
  }
}
