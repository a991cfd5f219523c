// The progress of a dub, and its next step: the one button that goes on, or what runs now with the way to stop it; and the result of a
// check.
import { Action, Field, fieldValue, Progress } from '#control-plane/web/lib/controls.tsx'
import { percent, remaining } from '#control-plane/web/lib/format.ts'
import { useRef, useState } from '#control-plane/web/lib/html.ts'
import { whenOpened } from '#control-plane/web/lib/later.tsx'
import { Icon, Ring } from '#control-plane/web/look/icons.tsx'
import { strings } from '#messages/create/dub.ts'
import type { Line, StoredDub } from '../dub/lines.ts'
import { moment } from '../dub/lines.ts'
import type { Job, Stage } from '../dub/work.ts'
import { SUBTITLE_FILES } from '../tools/subtitle-form.ts'
import type { CheckResult, Imported, MadeCheck, Place } from './runs.ts'

const OwnEncoding = whenOpened(() => import('../tools/encoding.tsx').then(({ EncodingField }) => EncodingField), { isQuiet: true })

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

function Begin({ onTranscribe, onImport }: { onTranscribe: (speakers: string) => Promise<void>; onImport: (file: File) => Promise<void> }) {
  const [speakers, setSpeakers] = useState('')
  const input = useRef<HTMLInputElement | null>(null)
  const chosen = () => {
    const file = input.current?.files?.[0]
    if (input.current) input.current.value = ''
    if (file) void onImport(file)
  }
  return (
    <div class="row dub-next">
      <p>{strings.beginHint}</p>
      <span class="spread"></span>
      <Field label={strings.speakerCount} look="chip">
        <select value={speakers} onChange={(event: Event) => setSpeakers(fieldValue(event))}>
          <option value="">{strings.automatic}</option>
          {[1, 2, 3, 4, 5, 6, 7, 8].map((one) => (
            <option key={one} value={one}>
              {one}
            </option>
          ))}
        </select>
      </Field>
      <input ref={input} type="file" hidden accept={SUBTITLE_FILES} aria-label={strings.importSubtitles} onChange={chosen} />
      <button type="button" onClick={() => input.current?.click()}>
        {strings.importSubtitles}
      </button>
      <Action kind="main" onPress={() => onTranscribe(speakers)}>
        {strings.transcribe}
      </Action>
    </div>
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
    <div class="dub-next busy">
      <div class="row">
        <p role="status">
          <strong>{text}</strong>
        </p>
        <span class="soft number">
          {value === null ? '' : percent(value)}
          {kind === 'running' && job?.seconds_left != null ? ` · ${strings.left(remaining(job.seconds_left))}` : ''}
        </span>
        <span class="spread"></span>
        <Action onPress={onStop}>{strings.stop}</Action>
      </div>
      <Progress value={value} label={text} />
      <p class="soft">{kind === 'translating' ? strings.keepOpen : strings.mayLeave}</p>
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
  onTranscribe: (speakers: string) => Promise<void>
  onImport: (file: File) => Promise<void>
  onTranslate: () => Promise<void>
  onSpeak: () => Promise<void>
  onCheck: () => Promise<void>
  onExport: () => void
}
/** The next step of a film of which nothing runs. */
export function Next({
  lines,
  code,
  isSame,
  isSpoken,
  isRefit,
  onTranscribe,
  onImport,
  onTranslate,
  onSpeak,
  onCheck,
  onExport,
}: NextProps) {
  if (lines.length === 0) return <Begin onTranscribe={onTranscribe} onImport={onImport} />
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

/** A film may have any number of them. */
const MAX_PLACES = 20

function Places({ text, places, onPlay }: { text: string; places: readonly Place[]; onPlay: (at: number) => void }) {
  return (
    <>
      <p>{text}</p>
      <div class="row">
        {places.slice(0, MAX_PLACES).map(({ start, end }) => {
          const times = strings.fromTo(moment(start), moment(end))
          return (
            <button type="button" key={start} class="quiet number" aria-label={strings.playPlace(times)} onClick={() => onPlay(start)}>
              {times}
            </button>
          )
        })}
        {places.length > MAX_PLACES && <span>{strings.morePlaces(places.length - MAX_PLACES)}</span>}
      </div>
    </>
  )
}

/** Notices about a file of subtitles, and the choice of its encoding, until the lines are translated. */
export const ImportNote = ({ of: { file, encoding, notices, read }, onClose }: { of: Imported; onClose: () => void }) => (
  <div class="callout" role="status">
    <div class="row">
      <strong class="text one-line">{strings.imported(file.name)}</strong>
      <span class="spread"></span>
      {encoding && <OwnEncoding.View value={encoding} onChoose={read} />}
      <button type="button" class="quiet icon-only" aria-label={strings.closeNote} onClick={onClose}>
        <Icon of="close" />
      </button>
    </div>
    <p class="text">
      {notices.join(' ')} {strings.readAgainHint}
    </p>
  </div>
)

/** Number of lines with faults, and what was not examined. */
export function CheckNote({
  result,
  canRepair,
  onPlay,
  onRepair,
  onReview,
  onClose,
}: {
  result: CheckResult
  canRepair: boolean
  onPlay: (at: number) => void
  onRepair: () => Promise<void>
  onReview: () => void
  onClose: () => void
}) {
  const { faulty_count: faulty, total, checks } = result
  const names = (isOf: (made: MadeCheck) => boolean) => checks.filter(isOf).map(({ check }) => check)
  const made = names(({ checked }) => checked > 0)
  const left = names(({ checked }) => checked === 0)
  const partly = names(({ checked, total: all }) => checked > 0 && checked < all)
  const { speech_without_words: wordless, uncovered } = result
  const isWhole = left.length === 0 && partly.length === 0 && wordless.length === 0 && !uncovered?.length
  return (
    <div class={`callout ${faulty === 0 && isWhole ? 'good' : ''}`} role="status">
      <div class="row">
        <strong>{faulty > 0 ? strings.faulty(faulty, total) : strings.checked(made)}</strong>
        <span class="spread"></span>
        {faulty > 0 && (
          <button type="button" onClick={onReview}>
            {strings.showThem}
          </button>
        )}
        {faulty > 0 && (
          <Action disabled={!canRepair} onPress={onRepair}>
            {strings.repair}
          </Action>
        )}
        <button type="button" class="quiet icon-only" aria-label={strings.closeNote} onClick={onClose}>
          <Icon of="close" />
        </button>
      </div>
      {left.length > 0 && <p>{strings.notChecked(left)}</p>}
      {partly.length > 0 && <p>{strings.partlyChecked(partly)}</p>}
      {wordless.length > 0 && <Places text={strings.wordless(wordless.length)} places={wordless} onPlay={onPlay} />}
      {uncovered && uncovered.length > 0 && <Places text={strings.uncovered(uncovered.length)} places={uncovered} onPlay={onPlay} />}
      {result.reasons.length > 0 && (
        <ul>
          {result.reasons.map((reason) => (
            <li key={reason} class="text">
              {reason}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
