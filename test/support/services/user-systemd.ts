// A PATH with a systemctl that records its calls and runs the unit as systemd would: its environment, its settings file and its command line.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findProgram } from '#shared/runtime/program.ts'
import { type Ending, signalIfAlive } from '../world/process.ts'
import { programFolder } from '../world/programs.ts'

const SYSTEMCTL = `here=\${0%/*}
echo "$*" >> "$here/calls"
unit=$XDG_CONFIG_HOME/systemd/user/$(basename "$(eval echo "\\\${$#}")")
stop() { [ ! -f "$here/pid" ] || { kill "$(cat "$here/pid")" 2>/dev/null; rm "$here/pid"; }; }
case "$2 $3" in
  restart*)
    stop
    (
      eval "$(sed -n 's/^Environment=/export /p' "$unit")"
      settings=$(sed -n 's/^EnvironmentFile=-//p' "$unit")
      [ ! -f "$settings" ] || eval "$(sed 's/^/export /' "$settings")"
      eval "exec $(sed -n 's/^ExecStart=//p' "$unit")"
    ) > "$here/journal" 2>&1 &
    echo $! > "$here/pid" ;;
  "disable --now" | stop*) stop ;;
  "show --property=Act"*)
    if [ -f "$here/pid" ]; then printf 'ActiveState=active\\nMainPID=%s\\n' "$(cat "$here/pid")"; else echo ActiveState=inactive; fi
    echo UnitFileState=enabled ;;
esac`

export type UserSystemd = {
  /** Variables of a terminal of this user. */
  readonly env: { readonly PATH: string; readonly XDG_CONFIG_HOME: string }
  readonly unit: (name: string) => string
  readonly calls: () => string[]
  /** Process of the service; null if it does not run. */
  readonly pid: () => number | null
  readonly journal: () => string
}

/** `folder`: its configuration is there. `path`: folders with the programs that the service needs. The service ends with the test. */
export function userSystemd(t: Ending, folder: string, path = process.env['PATH'] ?? ''): UserSystemd {
  // A folder of its own: the test may remove the other one before the service has ended.
  const bin = mkdtempSync(join(tmpdir(), 'user-systemd-'))
  const real = ['sh', 'basename', 'sed', 'cat', 'rm'].filter((name) => findProgram(name, path) === null)
  programFolder(bin, { systemctl: SYSTEMCTL, loginctl: 'echo Linger=yes' }, real)
  const read = (name: string) => (existsSync(join(bin, name)) ? readFileSync(join(bin, name), 'utf8').trim() : '')
  const pid = () => Number(read('pid')) || null
  t.after(() => {
    const running = pid()
    if (running !== null) signalIfAlive(running, 'SIGKILL')
    rmSync(bin, { recursive: true, force: true })
  })
  return {
    env: { PATH: `${bin}:${path}`, XDG_CONFIG_HOME: join(folder, 'config') },
    unit: (name) => join(folder, 'config/systemd/user', `${name}.service`),
    calls: () => read('calls').split('\n').filter(Boolean),
    pid,
    journal: () => read('journal'),
  }
}
