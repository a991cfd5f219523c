// A finished transcript: the sound above, paragraphs by speaker, and the files to save. A click on a sentence plays from there.

import type { ComponentChildren } from 'preact'
import { messageOf } from '#control-plane/web/lib/api.ts'
import type { NeedKind } from '#control-plane/web/lib/api-types.ts'
import { Confirm, copyText, Dialog, Field, Form, fieldValue } from '#control-plane/web/lib/controls.tsx'
import { soundLength } from '#control-plane/web/lib/format.ts'
import { useEffect, useMemo, useRef, useState } from '#control-plane/web/lib/html.ts'
import { notify } from '#control-plane/web/lib/notices.ts'
import { Icon } from '#control-plane/web/look/icons.tsx'
import { Needs } from '#control-plane/web/needs/later.tsx'
import { strings } from '#messages/create/transcribe.ts'
import type { Paragraph, Segment, Transcript } from './text.ts'
import { clockTime, fileName, paragraphsOf, plainText, renamed, toJson, toSrt, toVtt } from './text.ts'
import type { Transcription } from './transcription.ts'
import { clear, edit } from './transcription.ts'

const SAVED = [
  ['TXT', 'txt', plainText],
  ['SRT', 'srt', toSrt],
  ['VTT', 'vtt', toVtt],
  ['JSON', 'json', toJson],
] as const
const URL_MS = 10_000

function save(name: string, text: string) {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), URL_MS)
}

const copy = (transcript: Transcript) =>
  copyText(plainText(transcript)).then(
    () => notify(strings.copied),
    (error) => notify(messageOf(error), 'error'),
  )

/** Tints of speakers, in the order in which they speak. */
function tintsOf(segments: readonly Segment[]): Map<string, number> {
  const names = [...new Set(segments.map(({ speaker }) => speaker).filter(Boolean))]
  return new Map(names.map((name, at) => [name, (at % 8) + 1]))
}

function Spoken({
  paragraph,
  tint,
  sounding,
  wanted,
  onPlay,
  onRename,
}: {
  paragraph: Paragraph
  /** 0 without a speaker */
  tint: number
  sounding: Segment | null
  /** lower case; '' for none */
  wanted: string
  onPlay: ((seconds: number) => void) | null
  onRename: (speaker: string) => void
}) {
  const { speaker, start, segments } = paragraph
  const time = clockTime(start)
  const classOf = (one: Segment) =>
    [one === sounding ? 'sounding' : '', wanted && one.text.toLowerCase().includes(wanted) ? 'found' : ''].filter(Boolean).join(' ') ||
    undefined
  return (
    <li class="spoken">
      <div class="row">
        {speaker && (
          <button type="button" class={`speaker k${tint}`} aria-label={strings.rename(speaker)} onClick={() => onRename(speaker)}>
            {speaker}
          </button>
        )}
        {onPlay ? (
          <button type="button" class="quiet time" aria-label={strings.playFrom(time)} onClick={() => onPlay(start)}>
            {time}
          </button>
        ) : (
          <span class="soft time">{time}</span>
        )}
      </div>
      <p dir="auto">
        {segments.map((one) => (
          <>
            <span key={one.start} class={classOf(one)} onClick={() => onPlay?.(one.start)}>
              {one.text}
            </span>{' '}
          </>
        ))}
      </p>
    </li>
  )
}

function Rename({ speaker, transcript, onClose }: { speaker: string; transcript: Transcript; onClose: () => void }) {
  const [name, setName] = useState(speaker)
  const send = async () => {
    edit(renamed(transcript, speaker, name.trim()))
    onClose()
  }
  return (
    <Dialog title={strings.renameTitle} onClose={onClose}>
      <Form onSend={send} send={strings.rename(speaker)} disabled={name.trim() === ''}>
        <Field label={strings.name} hint={strings.renameHint}>
          <input value={name} maxlength={64} onInput={(event: Event) => setName(fieldValue(event))} />
        </Field>
      </Form>
    </Dialog>
  )
}

export function TranscriptView({ now, transcript, picker }: { now: Transcription; transcript: Transcript; picker: ComponentChildren }) {
  const audio = useRef<HTMLAudioElement | null>(null)
  const [sounding, setSounding] = useState<Segment | null>(null)
  const [find, setFind] = useState('')
  const [renaming, setRenaming] = useState('')
  const [isAsking, ask] = useState(false)
  const { segments, language, duration: length } = transcript
  const paragraphs = useMemo(() => paragraphsOf(segments), [segments])
  const tints = useMemo(() => tintsOf(segments), [segments])
  const wanted = find.trim().toLowerCase()
  const found = wanted ? segments.filter(({ text }) => text.toLowerCase().includes(wanted)).length : 0
  const follow = () => setSounding(segments.findLast(({ start }) => start <= (audio.current?.currentTime ?? -1)) ?? null)
  useEffect(() => {
    if (sounding) document.querySelector('.sounding')?.scrollIntoView({ block: 'nearest' })
  }, [sounding])
  const play = (seconds: number) => {
    if (!audio.current) return
    audio.current.currentTime = seconds
    void audio.current.play()
  }
  const words = segments.reduce((sum, { text }) => sum + text.split(/\s+/).filter(Boolean).length, 0)
  return (
    <section class="transcript" aria-label={strings.title}>
      <div class="row">
        <p class="text one-line">
          <strong dir="auto">{now.name}</strong> <span class="soft">{strings.facts(language, soundLength(length), words)}</span>
        </p>
        <span class="spread"></span>
        <button type="button" onClick={() => ask(true)}>
          <Icon of="plus" />
          {strings.another}
        </button>
      </div>
      {now.needs && <Needs.View of={now.needs as NeedKind} />}
      {now.notice && (
        <p class="note text">
          <Icon of="note" />
          {now.notice}
        </p>
      )}
      {now.url ? (
        <audio ref={audio} class="sound" controls src={now.url} aria-label={strings.listen} onTimeUpdate={follow}></audio>
      ) : (
        <div class="row">
          <p class="soft">{strings.noSound}</p>
          {picker}
        </div>
      )}
      <div class="row tools">
        <button type="button" class="tint" onClick={() => copy(transcript)}>
          {strings.copy}
        </button>
        {SAVED.map(([format, extension, write]) => (
          <button type="button" key={format} onClick={() => save(fileName(now.name, extension), write(transcript))}>
            <Icon of="download" />
            {strings.save(format)}
          </button>
        ))}
        <span class="spread"></span>
        <input
          type="search"
          class="find"
          value={find}
          placeholder={strings.find}
          aria-label={strings.find}
          onInput={(event: Event) => setFind(fieldValue(event))}
        />
        <span class="soft" role="status">
          {wanted && strings.found(found)}
        </span>
      </div>
      {segments.length === 0 && <p class="empty">{strings.silent}</p>}
      <ol class="paragraphs">
        {paragraphs.map((paragraph) => (
          <Spoken
            key={paragraph.start}
            paragraph={paragraph}
            tint={tints.get(paragraph.speaker) ?? 0}
            sounding={sounding}
            wanted={wanted}
            onPlay={now.url ? play : null}
            onRename={setRenaming}
          />
        ))}
      </ol>
      {isAsking && (
        <Confirm title={strings.discardTitle} action={strings.discard} onYes={clear} onClose={() => ask(false)}>
          <p>{strings.discardHint}</p>
        </Confirm>
      )}
      {renaming && <Rename speaker={renaming} transcript={transcript} onClose={() => setRenaming('')} />}
    </section>
  )
}
