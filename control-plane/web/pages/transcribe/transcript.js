// @ts-check
// A finished transcript: the sound above, paragraphs by speaker, and the files to save. A click on a sentence plays from there.
import { messageOf } from '../../lib/api.js'
import { Confirm, copyText, Dialog, Field, Form, fieldValue } from '../../lib/controls.js'
import { duration } from '../../lib/format.js'
import { html, useEffect, useMemo, useRef, useState } from '../../lib/html.js'
import { notify } from '../../lib/notices.js'
import { Icon } from '../../look/icons.js'
import { strings } from './strings.js'
import { clockTime, fileName, paragraphsOf, plainText, renamed, toJson, toSrt, toVtt } from './text.js'
import { clear, edit } from './transcription.js'

/** @import { ComponentChildren } from 'preact' */
/** @import { Transcription } from './transcription.js' */
/** @import { Paragraph, Segment, Transcript } from './text.js' */

const SAVED = /** @type {const} */ ([
  ['TXT', 'txt', plainText],
  ['SRT', 'srt', toSrt],
  ['VTT', 'vtt', toVtt],
  ['JSON', 'json', toJson],
])
const URL_MS = 10_000

/** @param {string} name @param {string} text */
function save(name, text) {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), URL_MS)
}

/** @param {Transcript} transcript */
const copy = (transcript) =>
  copyText(plainText(transcript)).then(
    () => notify(strings.copied),
    (error) => notify(messageOf(error), 'error'),
  )

/** Tints of speakers, in the order in which they speak. @param {readonly Segment[]} segments @returns {Map<string, number>} */
function tintsOf(segments) {
  const names = [...new Set(segments.map(({ speaker }) => speaker).filter(Boolean))]
  return new Map(names.map((name, at) => [name, (at % 8) + 1]))
}

/**
 * @param {object} props
 * @param {Paragraph} props.paragraph
 * @param {number} props.tint 0 without a speaker
 * @param {Segment | null} props.sounding
 * @param {string} props.wanted lower case; '' for none
 * @param {((seconds: number) => void) | null} props.onPlay
 * @param {(speaker: string) => void} props.onRename
 */
function Spoken({ paragraph, tint, sounding, wanted, onPlay, onRename }) {
  const { speaker, start, segments } = paragraph
  const time = clockTime(start)
  const classOf = (/** @type {Segment} */ one) =>
    [one === sounding ? 'sounding' : '', wanted && one.text.toLowerCase().includes(wanted) ? 'found' : ''].filter(Boolean).join(' ') ||
    undefined
  return html`<li class="spoken">
    <div class="row">
      ${speaker && html`<button type="button" class=${`speaker k${tint}`} aria-label=${strings.rename(speaker)} onClick=${() => onRename(speaker)}>${speaker}</button>`}
      ${
        onPlay
          ? html`<button type="button" class="quiet time" aria-label=${strings.playFrom(time)} onClick=${() => onPlay(start)}>${time}</button>`
          : html`<span class="soft time">${time}</span>`
      }
    </div>
    <p dir="auto">${segments.map((one) => html`<span key=${one.start} class=${classOf(one)} onClick=${() => onPlay?.(one.start)}>${one.text}</span> `)}</p>
  </li>`
}

/** @param {{ speaker: string, transcript: Transcript, onClose: () => void }} props */
function Rename({ speaker, transcript, onClose }) {
  const [name, setName] = useState(speaker)
  const send = async () => {
    edit(renamed(transcript, speaker, name.trim()))
    onClose()
  }
  return html`<${Dialog} title=${strings.renameTitle} onClose=${onClose}>
    <${Form} onSend=${send} send=${strings.rename(speaker)} disabled=${name.trim() === ''}>
      <${Field} label=${strings.name} hint=${strings.renameHint}>
        <input value=${name} maxlength="64" onInput=${(/** @type {Event} */ event) => setName(fieldValue(event))} />
      <//>
    <//>
  <//>`
}

/** @param {{ now: Transcription, transcript: Transcript, picker: ComponentChildren }} props */
export function TranscriptView({ now, transcript, picker }) {
  const audio = useRef(/** @type {HTMLAudioElement | null} */ (null))
  const [sounding, setSounding] = useState(/** @type {Segment | null} */ (null))
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
  const play = (/** @type {number} */ seconds) => {
    if (!audio.current) return
    audio.current.currentTime = seconds
    void audio.current.play()
  }
  const words = segments.reduce((sum, { text }) => sum + text.split(/\s+/).filter(Boolean).length, 0)
  return html`<section class="transcript" aria-label=${strings.title}>
    <div class="row"><p class="text one-line"><strong dir="auto">${now.name}</strong> <span class="soft">${strings.facts(language, duration(length), words)}</span></p>
      <span class="spread"></span><button type="button" onClick=${() => ask(true)}><${Icon} of="plus" />${strings.another}</button></div>
    ${now.notice && html`<p class="note text"><${Icon} of="note" />${now.notice}</p>`}
    ${
      now.url
        ? html`<audio ref=${audio} class="sound" controls src=${now.url} aria-label=${strings.listen} onTimeUpdate=${follow}></audio>`
        : html`<div class="row"><p class="soft">${strings.noSound}</p>${picker}</div>`
    }
    <div class="row tools">
      <button type="button" class="tint" onClick=${() => copy(transcript)}>${strings.copy}</button>
      ${SAVED.map(([format, extension, write]) => html`<button type="button" key=${format} onClick=${() => save(fileName(now.name, extension), write(transcript))}><${Icon} of="download" />${strings.save(format)}</button>`)}
      <span class="spread"></span>
      <input type="search" class="find" value=${find} placeholder=${strings.find} aria-label=${strings.find} onInput=${(/** @type {Event} */ event) => setFind(fieldValue(event))} />
      <span class="soft" role="status">${wanted && strings.found(found)}</span>
    </div>
    ${segments.length === 0 && html`<p class="empty">${strings.silent}</p>`}
    <ol class="paragraphs">
      ${paragraphs.map((paragraph) => html`<${Spoken} key=${paragraph.start} paragraph=${paragraph} tint=${tints.get(paragraph.speaker) ?? 0} sounding=${sounding} wanted=${wanted} onPlay=${now.url ? play : null} onRename=${setRenaming} />`)}
    </ol>
    ${isAsking && html`<${Confirm} title=${strings.discardTitle} action=${strings.discard} onYes=${clear} onClose=${() => ask(false)}><p>${strings.discardHint}</p><//>`}
    ${renaming && html`<${Rename} speaker=${renaming} transcript=${transcript} onClose=${() => setRenaming('')} />`}
  </section>`
}
