// @ts-check
// Searches a recording for the inaudible mark of this studio.
import { request } from '../../lib/api.js'
import { Progress } from '../../lib/controls.js'
import { percent } from '../../lib/format.js'
import { html } from '../../lib/html.js'
import { Icon } from '../../look/icons.js'
import { FileButton, useFileRun } from './file-button.js'
import { strings } from './strings.js'

/** Of every format; the escapes keep tools from reading a comment. */
const SOUND = 'audio/\u002a,video/\u002a'

/** @param {File} file */
async function detect(file) {
  const form = new FormData()
  form.append('file', file)
  return (await request('POST', '/watermark/detect', { form })).json()
}

export function Detect() {
  const { now, begin } = useFileRun(detect)
  return html`<${FileButton} label=${strings.chooseRecording} accept=${SOUND} disabled=${now.isBusy} onFile=${begin} />
    ${now.isBusy && html`<p class="text" role="status">${strings.searching(now.name)}</p><${Progress} value=${null} label=${strings.searching(now.name)} />`}
    ${now.error && html`<p class="callout bad text" role="alert">${now.error}</p>`}
    ${
      now.result &&
      html`<section class="sheet result" role="status" aria-label=${strings.result}>
        <p class=${`state ${now.result.is_watermarked ? 'good' : ''}`}><${Icon} of=${now.result.is_watermarked ? 'check' : 'note'} /><strong>${now.result.is_watermarked ? strings.marked : strings.unmarked}</strong></p>
        <p class="soft text" dir="auto">${now.name}</p>
        <p>${now.result.is_watermarked ? strings.certainty(percent(now.result.confidence)) : strings.unmarkedHint}</p>
        ${now.result.is_watermarked && now.result.speed !== 1 && html`<p>${strings.atSpeed(now.result.speed.toFixed(2))}</p>`}
      </section>`
    }`
}
