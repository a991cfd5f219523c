// Subtitles: repairs a file (damaged, overlapping and repeated cues) and saves it as SRT, WebVTT or plain text.

import { request } from '#control-plane/web/lib/api.ts'
import type { Posts } from '#control-plane/web/lib/api-types.ts'
import { useRef } from '#control-plane/web/lib/html.ts'
import { serverSentence } from '#control-plane/web/lib/server-texts.ts'
import { strings } from '#messages/create/tools.ts'
import { decimal } from '#messages/language.ts'
import { fileName, plainText, toSrt, toVtt } from '../transcribe/text.ts'
import { EncodingField } from './encoding.tsx'
import { FileButton, useFileRun } from './file-button.tsx'
import { type Encoding, SUBTITLE_FILES, subtitleForm } from './subtitle-form.ts'

/** Cues on the page; the saved files have all. */
const SHOWN = 200
const KINDS: readonly (readonly [string, typeof toSrt])[] = [
  ['srt', toSrt],
  ['vtt', toVtt],
  ['txt', plainText],
]

function save(name: string, text: string) {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

export function Subtitles() {
  const chosen = useRef<{ file: File; encoding: Encoding | null } | null>(null)
  const { now, begin } = useFileRun(async (file) => {
    const form = subtitleForm(file, chosen.current?.encoding ?? null)
    const reply: Posts['/dub/parse-subtitle-file']['reply'] = await (await request('POST', '/dub/parse-subtitle-file', { form })).json()
    const { segments, skipped_cues: skipped, dropped_overlaps: repeated, encoding, notices } = reply
    const lines = segments.map((segment) => ({ ...segment, speaker: segment.speaker ?? '' }))
    return { skipped, repeated, encoding, notices, transcript: { language: '', duration: lines.at(-1)?.end ?? 0, segments: lines } }
  })
  const read = (file: File, encoding: Encoding | null) => {
    chosen.current = { file, encoding }
    return begin(file)
  }
  const readAgain = (encoding: Encoding) => chosen.current && read(chosen.current.file, encoding)
  const { result } = now
  const cues = result?.transcript.segments ?? []
  return (
    <>
      <FileButton label={strings.chooseSubtitles} accept={SUBTITLE_FILES} disabled={now.isBusy} onFile={(file) => read(file, null)} />
      {now.error && (
        <p class="callout bad text" role="alert">
          {now.error}
        </p>
      )}
      {result && (
        <section class="sheet result" aria-label={strings.result}>
          <div class="row">
            <b class="text one-line" dir="auto">
              {now.name}
            </b>
            <span class="soft">{strings.cues(cues.length)}</span>
            <span class="spread"></span>
            {result.encoding && <EncodingField value={result.encoding} onChoose={readAgain} />}
            {KINDS.map(([kind, write]) => (
              <button type="button" key={kind} onClick={() => save(fileName(now.name, kind), write(result.transcript))}>
                {strings.saveAs(kind.toUpperCase())}
              </button>
            ))}
          </div>
          {(result.skipped > 0 || result.repeated > 0) && (
            <p class="callout" role="status">
              {strings.repaired(result.skipped, result.repeated)}
            </p>
          )}
          {result.notices.length > 0 && (
            <p class="callout text" role="status">
              {result.notices.map(serverSentence).join(' ')} {strings.encodingHint}
            </p>
          )}
          <ol class="cues" tabindex={0} aria-label={strings.cuesTitle}>
            {cues.slice(0, SHOWN).map((cue, at) => (
              <li key={at}>
                <span class="number soft">{strings.time(decimal(cue.start, 1), decimal(cue.end, 1))}</span>{' '}
                <span class="text" dir="auto">
                  {cue.speaker ? `${cue.speaker}: ${cue.text}` : cue.text}
                </span>
              </li>
            ))}
          </ol>
          {cues.length > SHOWN && <p class="soft">{strings.more(cues.length - SHOWN)}</p>}
        </section>
      )}
    </>
  )
}
