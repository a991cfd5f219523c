// Choices of the owner that other parts of the studio read: device, retention, refinement, analytics.

import type { OwnerSettings } from '#control-plane/store/setting.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { choiceSettings, DEVICES, type DeviceChoice } from './choices.settings.ts'
import { deviceView, familiesOf } from './devices.rules.ts'

type Deps = {
  readonly settings: Pick<OwnerSettings, 'read' | 'write' | 'override' | 'stored'>
  /** The devices that the engines and the probes of this machine report. */
  readonly devices: () => Iterable<string>
  readonly isRefinementReady: () => boolean
  readonly platform: string
  readonly clock: Clock
}
type Flags = Readonly<Partial<Record<'auto' | 'smart_cleanup' | 'self_correction' | 'preserve_technical', boolean | null | undefined>>>
export type Choices = ReturnType<typeof createChoices>

export function createChoices({ settings, devices, isRefinementReady, platform, clock }: Deps) {
  const { read, write } = settings
  const applied = read(choiceSettings.computeDevice)
  let lastRefinement: { readonly ok: boolean; readonly reason: string | null; readonly at: number } | null = null

  const device = () =>
    deviceView({
      value: settings.stored(choiceSettings.computeDevice) ?? 'auto',
      applied,
      available: familiesOf(devices()),
      isPinned: settings.override(choiceSettings.computeDevice) !== null,
    })
  const refinement = () => ({
    ...read(choiceSettings.refinement),
    llm_ready: isRefinementReady(),
    last_refine_status: lastRefinement,
  })
  const torchCompile = () => ({ enabled: read(choiceSettings.torchCompileDisabled), platform })
  const retention = () => ({ cap: read(choiceSettings.historyCap), default: choiceSettings.historyCap.fallback })
  function analytics() {
    const { opted_in, prompted } = read(choiceSettings.analytics)
    // There is no server to send to, so nothing is enabled by the choice.
    return { enabled: false, opted_in, available: false, prompted }
  }

  return {
    device,
    /** The choice since the start of the studio. */
    appliedDevice: applied,
    /** Throws BAD_REQUEST for a value that is unknown or that this machine does not have. */
    async chooseDevice(value: string) {
      const chosen = DEVICES.find((one) => one === value)
      if (!chosen) throw unusable(value, `Choose one of ${DEVICES.join(', ')}.`)
      const available = familiesOf(devices())
      const isUsable = (one: DeviceChoice) => one === 'auto' || available.includes(one)
      if (!isUsable(chosen)) throw unusable(value, `This machine has ${available.join(', ')}.`)
      await write(choiceSettings.computeDevice, chosen)
      return device()
    },
    torchCompile,
    async setTorchCompile(enabled: boolean) {
      await write(choiceSettings.torchCompileDisabled, enabled)
      return torchCompile()
    },
    retention,
    historyCap: (): number => read(choiceSettings.historyCap),
    /** The fate of takes whose files are missing. */
    missingTakes: {
      choice: () => read(choiceSettings.missingTakes),
      /** Called when no file is missing any more. */
      settle: (): Promise<void> => write(choiceSettings.missingTakes, 'auto'),
    },
    /** The schedule of whole backups. `passphrase`: '' leaves the secrets out. */
    backupChoice: () => ({
      days: read(choiceSettings.backupDays),
      keep: read(choiceSettings.backupKeep),
      incremental: read(choiceSettings.backupIncremental),
      passphrase: read(choiceSettings.backupPassphrase),
    }),
    async setRetention(cap: number) {
      await write(choiceSettings.historyCap, cap)
      return retention()
    },
    refinement,
    /** Time limit of a refinement. */
    refineSeconds: (): number => read(choiceSettings.refineSeconds),
    /** null and absent flags keep their value. */
    async setRefinement(flags: Flags) {
      const now = read(choiceSettings.refinement)
      await write(choiceSettings.refinement, {
        auto: flags.auto ?? now.auto,
        smart_cleanup: flags.smart_cleanup ?? now.smart_cleanup,
        self_correction: flags.self_correction ?? now.self_correction,
        preserve_technical: flags.preserve_technical ?? now.preserve_technical,
      })
      return refinement()
    },
    /** Records the outcome of a refinement. `reason`: null for a success. */
    reportRefinement(reason: string | null): void {
      lastRefinement = { ok: reason === null, reason, at: clock.now() / 1000 }
    },
    analytics,
    async setAnalytics(opted_in: boolean) {
      await write(choiceSettings.analytics, { opted_in, prompted: true })
      return analytics()
    },
  }
}

const unusable = (value: string, what: string) =>
  new Failure('BAD_REQUEST', `The device ${value.slice(0, 64)} cannot be used here. ${what}`)
