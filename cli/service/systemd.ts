// A unit of the user's own systemd. The options that need a namespace (ProtectSystem, PrivateTmp and others of deploy/systemd) are not available
// there without user namespaces, which some distributions forbid: a unit with them would not start.
import { SERVICE_MARK, type UserService } from './service.ts'

/** A text in a unit: a percent sign begins a specifier. */
export const unitValue = (text: string): string => text.replaceAll('%', '%%')
const quoted = (text: string): string => `"${unitValue(text).replaceAll('\\', '\\\\')}"`
/** In a command line a dollar sign begins a variable. */
const word = (text: string): string => quoted(text).replaceAll('$', '$$$$')

export const unitText = ({ title, words, variables, settingsFile }: UserService): string => `# ${SERVICE_MARK}
[Unit]
Description=${title}
# After five failures in five minutes the service stays down until it is started by hand.
StartLimitIntervalSec=300
StartLimitBurst=5

[Service]
${Object.entries(variables)
  .map(([name, value]) => `Environment=${quoted(`${name}=${value}`)}\n`)
  .join('')}# Settings; only their owner can read the file.
EnvironmentFile=-${unitValue(settingsFile)}
ExecStart=${words.map(word).join(' ')}

UMask=0077
KillMode=mixed
TimeoutStopSec=45
Restart=on-failure
RestartSec=5
# Invalid settings: another start would fail as well.
RestartPreventExitStatus=78
# An engine host that runs out of memory fails an attempt and must not stop the program.
OOMPolicy=continue
TasksMax=1024
# A core dump would contain keys and user data.
LimitCORE=0

NoNewPrivileges=yes
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
# Not MemoryDenyWriteExecute: JavaScript, WebAssembly and GPU kernels are compiled at run time.
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged @keyring
SystemCallErrorNumber=EPERM

[Install]
WantedBy=default.target
`
