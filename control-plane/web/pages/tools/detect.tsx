// Searches a recording for the inaudible mark of this studio.

import { request } from '#control-plane/web/lib/api.ts'
import { Progress } from '#control-plane/web/lib/controls.tsx'
import { percent } from '#control-plane/web/lib/format.ts'
import { Icon } from '#control-plane/web/look/icons.tsx'
import { strings } from '#messages/create/tools.ts'
import { decimal } from '#messages/language.ts'
import { FileButton, useFileRun } from './file-button.tsx'

/** Types of every format; the escapes keep tools from reading a comment. */
const SOUND = 'audio/\u002a,video/\u002a'

async function detect(file: File) {
  const form = new FormData()
  form.append('file', file)
  return (await request('POST', '/watermark/detect', { form })).json()
}

export function Detect() {
  const { now, begin } = useFileRun(detect)
  return (
    <>
      <FileButton label={strings.chooseRecording} accept={SOUND} disabled={now.isBusy} onFile={begin} />
      {now.isBusy && (
        <>
          <p class="text" role="status">
            {strings.searching(now.name)}
          </p>
          <Progress value={null} label={strings.searching(now.name)} />
        </>
      )}
      {now.error && (
        <p class="callout bad text" role="alert">
          {now.error}
        </p>
      )}
      {now.result && (
        <section class="sheet result" role="status" aria-label={strings.result}>
          <p class={`state ${now.result.is_watermarked ? 'good' : ''}`}>
            <Icon of={now.result.is_watermarked ? 'check' : 'note'} />
            <strong>{now.result.is_watermarked ? strings.marked : strings.unmarked}</strong>
          </p>
          <p class="soft text" dir="auto">
            {now.name}
          </p>
          <p>{now.result.is_watermarked ? strings.certainty(percent(now.result.confidence)) : strings.unmarkedHint}</p>
          {now.result.is_watermarked && now.result.speed !== 1 && <p>{strings.atSpeed(decimal(now.result.speed, 2))}</p>}
        </section>
      )}
    </>
  )
}
