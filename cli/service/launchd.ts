// An agent of launchd, which starts it when its user logs in.
import { SERVICE_MARK, type UserService } from './service.ts'
import { xmlText } from './xml.ts'

/** Labels are written like reversed domains. No domain is ours. */
export const launchLabel = ({ name }: Pick<UserService, 'name'>): string => `local.${name}`

const text = (value: string): string => `<string>${xmlText(value)}</string>`

/** launchd reads no file of settings. Node does, in a package; a checkout has none on macOS. */
const wordsOf = ({ words: [program = '', ...rest], settingsFile }: UserService, isCheckout: boolean): string[] =>
  isCheckout ? [program, ...rest] : [program, `--env-file-if-exists=${settingsFile}`, ...rest]

export const plistText = (service: UserService, isCheckout: boolean): string => `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<!-- ${SERVICE_MARK} -->
<plist version="1.0">
<dict>
  <key>Label</key>${text(launchLabel(service))}
  <key>ProgramArguments</key>
  <array>
${wordsOf(service, isCheckout)
  .map((word) => `    ${text(word)}\n`)
  .join('')}  </array>
  <key>EnvironmentVariables</key>
  <dict>
${Object.entries(service.variables)
  .map(([name, value]) => `    <key>${name}</key>${text(value)}\n`)
  .join('')}  </dict>
  <key>RunAtLoad</key><true/>
  <!-- Again after a failure, once a minute at most. -->
  <key>KeepAlive</key><dict><key>SuccessfulExit</key><false/></dict>
  <key>ThrottleInterval</key><integer>60</integer>
  <key>ExitTimeOut</key><integer>45</integer>
  <!-- 0077: files are for this user only. -->
  <key>Umask</key><integer>63</integer>
  <!-- Without this the system slows down programs that compute in the background. -->
  <key>ProcessType</key><string>Interactive</string>
  <key>HardResourceLimits</key><dict><key>Core</key><integer>0</integer></dict>
</dict>
</plist>
`
