// @ts-check
// Subtitles: repairs a file (damaged, overlapping and repeated cues) and saves it as SRT, WebVTT or plain text.
import { post } from '../../lib/api.js'
import { html } from '../../lib/html.js'
import { fileName, plainText, toSrt, toVtt } from '../transcribe/text.js'
import { FileButton, useFileRun } from './file-button.js'
import { strings } from './strings.js'

/** Cues on the page; the saved files have all. */
const SHOWN = 200
/** @type {readonly (readonly [string, typeof toSrt])[]} */
const KINDS = [
  ['srt', toSrt],
  ['vtt', toVtt],
  ['txt', plainText],
]

/** @param {string} name @param {string} text */
function save(name, text) {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

export function Subtitles() {
  const { now, begin } = useFileRun(async (file) => {
    const {
      segments,
      skipped_cues: skipped,
      dropped_overlaps: repeated,
    } = await post('/dub/parse-subtitle-text', { text: await file.text() })
    const lines = segments.map((segment) => ({ ...segment, speaker: '' }))
    return { skipped, repeated, transcript: { language: '', duration: lines.at(-1)?.end ?? 0, segments: lines } }
  })
  const cues = now.result?.transcript.segments ?? []
  return html`<${FileButton} label=${strings.chooseSubtitles} accept=".srt,.vtt,.txt" disabled=${now.isBusy} onFile=${begin} />
    ${now.error && html`<p class="callout bad text" role="alert">${now.error}</p>`}
    ${
      now.result &&
      html`<section class="sheet result" aria-label=${strings.result}>
        <div class="row"><b class="text one-line" dir="auto">${now.name}</b><span class="soft">${strings.cues(cues.length)}</span><span class="spread"></span>
          ${KINDS.map(([kind, write]) => html`<button type="button" key=${kind} onClick=${() => save(fileName(now.name, kind), write(now.result.transcript))}>${strings.saveAs(kind.toUpperCase())}</button>`)}</div>
        ${(now.result.skipped > 0 || now.result.repeated > 0) && html`<p class="callout" role="status">${strings.repaired(now.result.skipped, now.result.repeated)}</p>`}
        <ol class="cues" tabindex="0" aria-label=${strings.cuesTitle}>${cues.slice(0, SHOWN).map((/** @type {{ start: number, end: number, text: string }} */ cue, /** @type {number} */ at) => html`<li key=${at}><span class="number soft">${strings.time(cue.start.toFixed(1), cue.end.toFixed(1))}</span> <span class="text" dir="auto">${cue.text}</span></li>`)}</ol>
        ${cues.length > SHOWN && html`<p class="soft">${strings.more(cues.length - SHOWN)}</p>`}
      </section>`
    }`
}
