// A task of the Windows scheduler, which starts when its user logs on. A service of Windows would need the rights of an administrator.
import { SERVICE_MARK, type UserService } from './service.ts'
import { xmlText } from './xml.ts'

/** A word of a command line of Windows: in quotes, with the backslashes before the closing one doubled. No word has a quote (serviceOf). */
function word(text: string): string {
  let end = text.length
  while (text[end - 1] === '\\') end--
  return `"${text}${text.slice(end)}"`
}

/** A task has no environment, so Node reads the settings file, which names the data folder too. */
export const taskText = (
  { title, words: [program = '', ...rest], settingsFile }: UserService,
  user: string,
): string => `<?xml version="1.0" encoding="UTF-16"?>
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <RegistrationInfo>
    <Description>${xmlText(`${title}. ${SERVICE_MARK}`)}</Description>
  </RegistrationInfo>
  <Triggers>
    <LogonTrigger><Enabled>true</Enabled><UserId>${xmlText(user)}</UserId></LogonTrigger>
  </Triggers>
  <Principals>
    <Principal id="Author">
      <UserId>${xmlText(user)}</UserId>
      <LogonType>InteractiveToken</LogonType>
      <RunLevel>LeastPrivilege</RunLevel>
    </Principal>
  </Principals>
  <Settings>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <AllowHardTerminate>true</AllowHardTerminate>
    <StartWhenAvailable>true</StartWhenAvailable>
    <IdleSettings><StopOnIdleEnd>false</StopOnIdleEnd><RestartOnIdle>false</RestartOnIdle></IdleSettings>
    <Enabled>true</Enabled>
    <Hidden>false</Hidden>
    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>
    <Priority>6</Priority>
    <RestartOnFailure><Interval>PT1M</Interval><Count>5</Count></RestartOnFailure>
  </Settings>
  <Actions Context="Author">
    <Exec>
      <Command>${xmlText(program)}</Command>
      <Arguments>${xmlText([`--env-file-if-exists=${settingsFile}`, ...rest].map(word).join(' '))}</Arguments>
    </Exec>
  </Actions>
</Task>
`
