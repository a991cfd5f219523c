// The progress of a dub, and its next step: the one button that goes on, or what runs now with the way to stop it.
import { Action, Progress } from '#control-plane/web/lib/controls.tsx'
import { percent, remaining } from '#control-plane/web/lib/format.ts'
import { Icon, Ring } from '#control-plane/web/look/icons.tsx'
import { strings } from '#messages/create/dub.ts'
import type { Line, StoredDub } from '../dub/lines.ts'
import type { Job, Stage } from '../dub/work.ts'

export function Steps({
  lines,
  isSpoken,
  stage,
  isTranslating,
}: {
  stored: StoredDub
  lines: readonly Line[]
  isSpoken: boolean
  stage: Stage | null
  isTranslating: boolean
}) {
  const isTranslated = lines.length > 0 && lines.every((line) => line.target !== '')
  const isCurrent = isSpoken && lines.every((line) => line.state === 'spoken' || line.state === 'failed')
  const steps = [
    { name: strings.steps.film, isDone: stage !== 'prepare', isRunning: stage === 'prepare' },
    { name: strings.steps.lines, isDone: lines.length > 0 && stage !== 'transcribe', isRunning: stage === 'transcribe' },
    { name: strings.steps.translation, isDone: isTranslated && !isTranslating, isRunning: isTranslating },
    { name: strings.steps.speech, isDone: isCurrent && stage !== 'speak', isRunning: stage === 'speak' },
  ]
  return (
    <ol class="dub-steps" aria-label={strings.stepsTitle}>
      {steps.map(({ name, isDone, isRunning }) => (
        <li key={name} class={`state ${isRunning ? 'busy' : isDone ? 'good' : ''}`}>
          {isRunning ? <Ring share={null} /> : isDone ? <Icon of="check" /> : <span class="open" aria-hidden="true"></span>}
          {name}
          <span class="hidden">{isRunning ? strings.runsNow : isDone ? strings.isDone : strings.isOpen}</span>
        </li>
      ))}
    </ol>
  )
}

type BusyProps = {
  kind: 'running' | 'translating'
  stage: Stage | null
  job: Job | null
  /** share of the translation that is done */
  share?: number
  onStop: () => unknown
}
/** Running work for a film, and the way to stop it. */
export function Busy({ kind, stage, job, share = 0, onStop }: BusyProps) {
  const text = kind === 'translating' ? strings.translating : strings.stages[stage ?? 'speak']
  const value = kind === 'translating' ? share : (job?.progress ?? null)
  return (
    <div class="row dub-next busy">
      <p role="status">
        <strong>{text}</strong>
      </p>
      <Progress value={value} label={text} />
      <span class="soft number">
        {value === null ? '' : percent(value)}
        {kind === 'running' && job?.seconds_left != null ? ` · ${strings.left(remaining(job.seconds_left))}` : ''}
      </span>
      <span class="soft wide-only">{kind === 'translating' ? strings.keepOpen : strings.mayLeave}</span>
      <span class="spread"></span>
      <Action onPress={onStop}>{strings.stop}</Action>
    </div>
  )
}

type NextProps = {
  lines: readonly Line[]
  code: string
  /** both languages are one */
  isSame: boolean
  isSpoken: boolean
  /** another timing was chosen than that of the track */
  isRefit: boolean
  onTranslate: () => Promise<void>
  onSpeak: () => Promise<void>
  onCheck: () => Promise<void>
  onExport: () => void
}
/** The next step of a film of which nothing runs. */
export function Next({ lines, code, isSame, isSpoken, isRefit, onTranslate, onSpeak, onCheck, onExport }: NextProps) {
  const untranslated = lines.filter((line) => line.target === '' || line.error !== '').length
  const missing = lines.filter((line) => line.target === '').length
  const changed = lines.filter((line) => line.state === 'changed' || line.state === 'ready').length
  const isReady = isSpoken && changed === 0
  const translate = (look: string) => (
    <Action kind={look} onPress={onTranslate}>
      {isSame ? strings.useOriginal : strings.translate(untranslated)}
    </Action>
  )
  if (code === '')
    return (
      <div class="row dub-next">
        <p>{strings.chooseTarget(lines.length)}</p>
      </div>
    )
  if (missing > 0)
    return (
      <div class="row dub-next">
        <p>{isSame ? strings.sameHint : strings.translateHint(lines.length)}</p>
        <span class="spread"></span>
        {translate('main')}
      </div>
    )
  return (
    <div class="row dub-next">
      <p>{isReady ? (isRefit ? strings.refitHint : strings.allSpoken) : strings.speakHint(changed, isSpoken)}</p>
      <span class="spread"></span>
      {untranslated > 0 && translate('')}
      {isReady && !isRefit && <Action onPress={onCheck}>{strings.check}</Action>}
      {isReady && !isRefit ? (
        <button type="button" class="main" onClick={onExport}>
          <Icon of="download" />
          {strings.export}
        </button>
      ) : (
        <Action kind="main" onPress={onSpeak}>
          {isReady ? strings.refit : strings.speakLines(isSpoken ? changed : lines.length)}
        </Action>
      )}
    </div>
  )
}
