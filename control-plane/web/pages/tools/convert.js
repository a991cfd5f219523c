// @ts-check
// A WAV file as MP3, M4B or Ogg.
import { request } from '../../lib/api.js'
import { Field, fieldValue, Progress } from '../../lib/controls.js'
import { bytes } from '../../lib/format.js'
import { html, useEffect, useState } from '../../lib/html.js'
import { Icon } from '../../look/icons.js'
import { FileButton, useFileRun } from './file-button.js'
import { strings } from './strings.js'

const FORMATS = /** @type {const} */ (['mp3', 'm4b', 'ogg'])
const RATES = ['96k', '128k', '192k', '320k']

export function Convert() {
  const [format, setFormat] = useState('mp3')
  const [bitrate, setBitrate] = useState('192k')
  const { now, begin } = useFileRun(async (file) => {
    const form = new FormData()
    form.append('format', format)
    form.append('bitrate', bitrate)
    form.append('file', file)
    const blob = await (await request('POST', '/stories/encode', { form })).blob()
    return { url: URL.createObjectURL(blob), size: blob.size, name: `${file.name.replace(/\.[^.]*$/, '')}.${format}` }
  })
  useEffect(() => () => now.result && URL.revokeObjectURL(now.result.url), [now.result])
  return html`<div class="row"><${Field} label=${strings.format} look="chip"><select value=${format} onChange=${(/** @type {Event} */ event) => setFormat(fieldValue(event))}>${FORMATS.map((one) => html`<option key=${one} value=${one}>${one.toUpperCase()}</option>`)}</select><//>
      <${Field} label=${strings.bitrate} look="chip"><select value=${bitrate} onChange=${(/** @type {Event} */ event) => setBitrate(fieldValue(event))}>${RATES.map((one) => html`<option key=${one} value=${one}>${strings.kilobits(one.replace('k', ''))}</option>`)}</select><//></div>
    <${FileButton} label=${strings.chooseWav} accept=".wav" disabled=${now.isBusy} onFile=${begin} />
    ${now.isBusy && html`<p class="text" role="status">${strings.converting(now.name)}</p><${Progress} value=${null} label=${strings.converting(now.name)} />`}
    ${now.error && html`<p class="callout bad text" role="alert">${now.error}</p>`}
    ${
      now.result &&
      html`<section class="sheet result" aria-label=${strings.result}>
        <div class="row"><b class="text one-line" dir="auto">${now.result.name}</b><span class="soft">${bytes(now.result.size)}</span><span class="spread"></span>
          <a class="button" download=${now.result.name} href=${now.result.url}><${Icon} of="download" />${strings.save}</a></div>
        <audio controls src=${now.result.url} aria-label=${now.result.name}></audio>
      </section>`
    }`
}
