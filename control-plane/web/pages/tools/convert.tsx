// A WAV file, from the disk or of a take, as MP3, M4B or Ogg.
import { request } from '#control-plane/web/lib/api.ts'
import { Field, fieldValue, Progress } from '#control-plane/web/lib/controls.tsx'
import { bytes } from '#control-plane/web/lib/format.ts'
import { useEffect, useState } from '#control-plane/web/lib/html.ts'
import { Icon } from '#control-plane/web/look/icons.tsx'
import { Sample } from '#control-plane/web/look/sample.tsx'
import { strings } from '#messages/create/tools.ts'
import { FileButton, useFileRun } from './file-button.tsx'
import { type OwnTake, OwnTakes } from './own-takes.tsx'

const FORMATS = ['mp3', 'm4b', 'ogg'] as const
const RATES = ['96k', '128k', '192k', '320k']

export function Convert() {
  const [format, setFormat] = useState('mp3')
  const [bitrate, setBitrate] = useState('192k')
  const { now, begin } = useFileRun(async (file: File | OwnTake) => {
    const form = new FormData()
    form.append('format', format)
    form.append('bitrate', bitrate)
    form.append('file', file instanceof File ? file : await (await request('GET', file.path)).blob(), file.name)
    const blob = await (await request('POST', '/stories/encode', { form })).blob()
    return { url: URL.createObjectURL(blob), blob, size: blob.size, name: `${file.name.replace(/\.[^.]*$/, '')}.${format}` }
  })
  useEffect(() => () => now.result && URL.revokeObjectURL(now.result.url), [now.result])
  return (
    <>
      <div class="row">
        <Field label={strings.format} look="chip">
          <select value={format} onChange={(event: Event) => setFormat(fieldValue(event))}>
            {FORMATS.map((one) => (
              <option key={one} value={one}>
                {one.toUpperCase()}
              </option>
            ))}
          </select>
        </Field>
        <Field label={strings.bitrate} look="chip">
          <select value={bitrate} onChange={(event: Event) => setBitrate(fieldValue(event))}>
            {RATES.map((one) => (
              <option key={one} value={one}>
                {strings.kilobits(one.replace('k', ''))}
              </option>
            ))}
          </select>
        </Field>
      </div>
      <FileButton label={strings.chooseWav} accept=".wav" disabled={now.isBusy} onFile={begin} />
      <OwnTakes disabled={now.isBusy} onTake={begin} />
      {now.isBusy && (
        <>
          <p class="text" role="status">
            {strings.converting(now.name)}
          </p>
          <Progress value={null} label={strings.converting(now.name)} />
        </>
      )}
      {now.error && (
        <p class="callout bad text" role="alert">
          {now.error}
        </p>
      )}
      {now.result && (
        <section class="sheet result" aria-label={strings.result}>
          <div class="row">
            <b class="text one-line" dir="auto">
              {now.result.name}
            </b>
            <span class="soft">{bytes(now.result.size)}</span>
            <span class="spread"></span>
            <a class="button" download={now.result.name} href={now.result.url}>
              <Icon of="download" />
              {strings.save}
            </a>
          </div>
          <Sample path={now.result.url} name={now.result.name} own={now.result.blob} />
        </section>
      )}
    </>
  )
}
