// Transcribe: a recording or a video becomes text with times and speakers.

import type { Address } from '#control-plane/web/frame/address.ts'
import { decoded } from '#control-plane/web/frame/address.ts'
import { withHint } from '#control-plane/web/lib/api.ts'
import { Action, Field, fieldValue, Progress } from '#control-plane/web/lib/controls.tsx'
import { bytes, duration } from '#control-plane/web/lib/format.ts'
import { useEffect, useRef, useState } from '#control-plane/web/lib/html.ts'
import { notify } from '#control-plane/web/lib/notices.ts'
import { Icon } from '#control-plane/web/look/icons.tsx'
import { Needs } from '#control-plane/web/needs/later.tsx'
import { strings } from '#messages/create/transcribe.ts'
import { strings as shared } from '#messages/shared.ts'
import { Dictate } from './dictate.tsx'
import { Earlier } from './earlier.tsx'
import { TranscriptView } from './transcript.tsx'
import type { Transcription } from './transcription.ts'
import { cancel, choose, isBusy, open, transcribe, useTranscription } from './transcription.ts'

/** Limit of the route. */
const MOST_BYTES = 512 * 1024 ** 2

/** Types of every format; the escapes keep tools from reading a comment. */
const SOUND = 'audio/\u002a,video/\u002a'

function take(file: File | undefined) {
  if (!file) return
  if (file.size > MOST_BYTES) return notify(strings.tooLarge, 'error')
  if (!choose(file)) notify(strings.otherFile, 'error')
}

/** Opens the list of files, and takes one that is dropped on it. */
export function FilePicker({ isSmall }: { isSmall: boolean }) {
  const input = useRef<HTMLInputElement | null>(null)
  const [isOver, setOver] = useState(false)
  const over = (event: DragEvent) => {
    event.preventDefault()
    setOver(true)
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    take(event.dataTransfer?.files[0])
  }
  const changed = () => {
    take(input.current?.files?.[0])
    if (input.current) input.current.value = ''
  }
  const open = () => input.current?.click()
  const chooser = <input ref={input} type="file" hidden accept={SOUND} aria-label={strings.file} onChange={changed} />
  if (isSmall)
    return (
      <>
        {chooser}
        <button type="button" onClick={open}>
          {strings.other}
        </button>
      </>
    )
  return (
    <div class={isOver ? 'drop over' : 'drop'} onDragOver={over} onDragLeave={() => setOver(false)} onDrop={drop}>
      {chooser}
      <span class="kind k4 large">
        <Icon of="captions" isLarge />
      </span>
      <p class="lead">{strings.drop}</p>
      <button type="button" class="main" onClick={open}>
        {strings.choose}
      </button>
      <p class="soft">{strings.formats}</p>
    </div>
  )
}

const Failed = ({ now: { error } }: { now: Transcription }) =>
  error &&
  (error.needs ? (
    <Needs.View of={error.needs} />
  ) : (
    <p class="callout bad text" role="alert">
      <strong>{strings.failed}</strong> {withHint(error.message, error.hint)}
    </p>
  ))

function Options({ now }: { now: Transcription }) {
  const [language, setLanguage] = useState('')
  const [hasSpeakers, setSpeakers] = useState(true)
  const start = useRef<HTMLButtonElement | null>(null)
  // The button that opened the list of files no longer exists, so the focus moves to the next step.
  useEffect(() => start.current?.focus({ preventScroll: true }), [])
  const submit = (event: Event) => {
    event.preventDefault()
    void transcribe({ language, hasSpeakers })
  }
  return (
    <form class="sheet recording" onSubmit={submit}>
      <div class="row">
        <span class="kind k4">
          <Icon of="captions" />
        </span>
        <p class="text one-line">
          <strong dir="auto">{now.name}</strong> <span class="soft">{now.file && bytes(now.file.size)}</span>
        </p>
        <span class="spread"></span>
        <FilePicker isSmall />
      </div>
      <div class="choices">
        <Field label={strings.language} hint={strings.languageHint}>
          <input value={language} maxlength={35} onInput={(event: Event) => setLanguage(fieldValue(event))} />
        </Field>
        <label class="tick">
          <input type="checkbox" checked={hasSpeakers} onChange={() => setSpeakers(!hasSpeakers)} /> {strings.speakers}
        </label>
      </div>
      <Failed now={now} />
      <div class="row">
        <button type="submit" ref={start} class="main">
          {strings.transcribe}
        </button>
      </div>
    </form>
  )
}

function Working({ now }: { now: Transcription }) {
  const text = now.phase === 'sending' ? strings.sending(now.name) : strings.working(now.name)
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    if (now.startedAt === 0) return
    // The clocks of the studio and of this device may differ.
    const timer = setInterval(() => setSeconds(Math.max(0, Date.now() / 1000 - now.startedAt)), 500)
    return () => clearInterval(timer)
  }, [now.startedAt])
  return (
    <section class="sheet recording" aria-label={strings.title}>
      <div class="row">
        <span class="kind k4">
          <Icon of="captions" />
        </span>
        <p class="text one-line" role="status">
          <strong>{text}</strong>
        </p>
        <span class="soft">{duration(seconds)}</span>
        <span class="spread"></span>
        <Action onPress={cancel}>{shared.cancel}</Action>
      </div>
      <Progress value={now.progress} label={text} />
      <p class="soft">{now.phase === 'sending' ? strings.sendingHint : strings.workingHint}</p>
    </section>
  )
}

/** Without an object in the address, the transcription of this tab. */
function Recording({ address }: { address: Address }) {
  const now = useTranscription()
  // Again with each address: a transcript that was closed may be opened once more.
  useEffect(() => {
    const job = decoded(address.object)
    if (job && !open(job)) notify(strings.otherShown, 'error')
  }, [address])
  if (isBusy(now)) return <Working now={now} />
  if (now.phase === 'done' && now.transcript)
    return <TranscriptView now={now} transcript={now.transcript} picker={<FilePicker isSmall />} />
  return now.file === null ? (
    <>
      <Failed now={now} />
      <FilePicker isSmall={false} />
      <Earlier />
    </>
  ) : (
    <Options now={now} />
  )
}

export const Transcribe = ({ address }: { address: Address }) => (
  <>
    <nav class="tabs" aria-label={strings.views}>
      <a href="#/transcribe" aria-current={address.object === 'dictate' ? undefined : 'page'}>
        {strings.tabs.recording}
      </a>
      <a href="#/transcribe/dictate" aria-current={address.object === 'dictate' ? 'page' : undefined}>
        {strings.tabs.dictate}
      </a>
    </nav>
    {address.object === 'dictate' ? <Dictate /> : <Recording address={address} />}
  </>
)
