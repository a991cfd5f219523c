// Beside the words of a transcript: who speaks how much, what becomes of it, and how it was made.

import { post, request } from '#control-plane/web/lib/api.ts'
import { Action, fieldValue } from '#control-plane/web/lib/controls.tsx'
import { bytes, duration, percent } from '#control-plane/web/lib/format.ts'
import { useLayoutEffect, useRef, useState } from '#control-plane/web/lib/html.ts'
import { notify, reportFailure } from '#control-plane/web/lib/notices.ts'
import { Icon } from '#control-plane/web/look/icons.tsx'
import { strings } from '#messages/create/transcribe.ts'
import { languageName } from '../dub/languages.ts'
import { type Content, type Share, withName } from './content.ts'
import { changeTranscript, download, transcriptKeeper } from './kept.ts'
import { useWordCount } from './word-count.ts'

/** Types of every format; the escapes keep tools from reading a comment. */
const SOUND = 'audio/\u002a,video/\u002a'
const NAME_CHARS = 64
const colourOf = (tint: number) => (tint > 0 ? { background: `var(--kind-${tint})` } : {})

/** Gives a transcript its recording again. */
export function AttachSound({ project, onAttached }: { project: string; onAttached: () => Promise<unknown> }) {
  const input = useRef<HTMLInputElement | null>(null)
  const [sending, send] = useState('')
  const chosen = async () => {
    const file = input.current?.files?.[0]
    if (!file) return
    const form = new FormData()
    form.append('file', file)
    send(file.name)
    try {
      await request('POST', `/transcripts/${encodeURIComponent(project)}/sound`, { form })
      await onAttached()
    } finally {
      send('')
      if (input.current) input.current.value = ''
    }
  }
  return (
    <div class="callout row no-sound">
      <span class="text" role="status">
        {sending === '' ? strings.noSound : strings.sending(sending)}
      </span>
      <input ref={input} type="file" hidden accept={SOUND} aria-label={strings.file} onChange={() => void chosen().catch(reportFailure)} />
      <button type="button" disabled={sending !== ''} onClick={() => input.current?.click()}>
        {strings.chooseSound}
      </button>
    </div>
  )
}

function Speaker({ one, tint, onPlay }: { one: Share; tint: number; onPlay: ((seconds: number) => void) | null }) {
  const [isNaming, name] = useState(false)
  const field = useRef<HTMLInputElement | null>(null)
  const button = useRef<HTMLButtonElement | null>(null)
  useLayoutEffect(() => field.current?.select(), [isNaming])
  const end = (typed: string | null) => {
    name(false)
    const to = typed?.trim() ?? ''
    if (to !== '' && to !== one.speaker) changeTranscript((now) => withName(now, one.speaker, to))
    requestAnimationFrame(() => button.current?.focus())
  }
  const pressed = (event: KeyboardEvent) => {
    if (event.key === 'Enter') end(fieldValue(event))
    if (event.key === 'Escape') end(null)
  }
  const shown = one.speaker || strings.unknownSpeaker
  return (
    <li>
      <span class="dot" style={colourOf(tint)} aria-hidden="true"></span>
      {isNaming ? (
        <span class="naming">
          <input
            ref={field}
            dir="auto"
            maxlength={NAME_CHARS}
            defaultValue={one.speaker}
            aria-label={strings.nameOf(shown)}
            onKeyDown={pressed}
            onBlur={(event: Event) => isNaming && end(fieldValue(event))}
          />
          <small>{strings.renames(one.turns)}</small>
        </span>
      ) : (
        <span class="naming">
          <button
            type="button"
            ref={button}
            class="quiet"
            title={strings.rename(shown)}
            aria-label={strings.rename(shown)}
            onClick={() => name(true)}
          >
            <b class="text one-line" dir="auto">
              {shown}
            </b>
          </button>
          <small>{duration(one.seconds)}</small>
        </span>
      )}
      <span class="soft number">{percent(one.share)}</span>
      {onPlay && (
        <button
          type="button"
          class="quiet icon-only"
          aria-label={strings.hear(shown)}
          title={strings.hear(shown)}
          onClick={() => onPlay(one.start)}
        >
          <Icon of="play" />
        </button>
      )}
    </li>
  )
}

type Sound = { path: string; bytes: number; isRead: boolean }
type SideProps = {
  project: string
  content: Content
  shares: readonly Share[]
  tints: ReadonlyMap<string, number>
  sound: Sound
  onPlay: (seconds: number) => void
}

export function Side({ project, content, shares, tints, sound, onPlay }: SideProps) {
  const hasSound = sound.path !== ''
  const words = useWordCount(content.segments)
  const dub = async () => {
    if (!hasSound) return notify(strings.noSoundToDub, 'error')
    await transcriptKeeper.flush()
    const { job_id: id } = await post(`/transcripts/${encodeURIComponent(project)}/dub`, {})
    location.hash = `#/dub/${encodeURIComponent(id)}`
  }
  const subtitles = () => download(project, 'srt')
  const named = shares.filter(({ speaker }) => speaker !== '').length
  const facts: [string, string][] = [
    [strings.facts.language, content.language ? languageName(content.language) : ''],
    [strings.facts.madeWith, content.engine],
    [strings.facts.took, content.took > 0 ? duration(content.took) : ''],
    [strings.facts.words, words === null ? '' : strings.words(words)],
    [strings.facts.sound, sound.isRead ? (hasSound ? strings.kept(bytes(sound.bytes)) : strings.notKept) : ''],
  ]
  return (
    <>
      <section aria-label={strings.speakersTitle}>
        <h3>
          {strings.speakersTitle} {named > 0 && <span class="soft number">{named}</span>}
        </h3>
        <div class="shares" aria-hidden="true">
          {shares.map(({ speaker, share }) => (
            <span key={speaker} style={{ ...colourOf(tints.get(speaker) ?? 0), flexGrow: share }}></span>
          ))}
        </div>
        <ul class="plain speakers">
          {shares.map((one) => (
            <Speaker key={one.speaker} one={one} tint={tints.get(one.speaker) ?? 0} onPlay={hasSound ? onPlay : null} />
          ))}
        </ul>
      </section>
      <section class="next" aria-label={strings.next}>
        <h3>{strings.next}</h3>
        <Action kind="quiet" onPress={dub}>
          <span class="kind k3">
            <Icon of="film" />
          </span>
          <span>
            <b>{strings.dubThis}</b>
            <small>{strings.dubHint(named)}</small>
          </span>
        </Action>
        <Action kind="quiet" onPress={subtitles}>
          <span class="kind k4">
            <Icon of="captions" />
          </span>
          <span>
            <b>{strings.subtitles}</b>
            <small>{strings.formatHints.srt}</small>
          </span>
        </Action>
      </section>
      <dl class="transcript-facts">
        {facts.map(
          ([label, value]) =>
            value !== '' && (
              <div key={label}>
                <dt>{label}</dt>
                <dd class="text">{value}</dd>
              </div>
            ),
        )}
      </dl>
    </>
  )
}
