// Subtitles: repairs a file (damaged, overlapping and repeated cues) and saves it as SRT, WebVTT or plain text.

import { post } from '#control-plane/web/lib/api.ts'
import { strings } from '#messages/create/tools.ts'
import { decimal } from '#messages/language.ts'
import { fileName, plainText, toSrt, toVtt } from '../transcribe/text.ts'
import { FileButton, useFileRun } from './file-button.tsx'

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
  const { now, begin } = useFileRun(async (file) => {
    const {
      segments,
      skipped_cues: skipped,
      dropped_overlaps: repeated,
    } = await post('/dub/parse-subtitle-text', { text: await file.text() })
    const lines = segments.map((segment) => ({ ...segment, speaker: '' }))
    return { skipped, repeated, transcript: { language: '', duration: lines.at(-1)?.end ?? 0, segments: lines } }
  })
  const { result } = now
  const cues = result?.transcript.segments ?? []
  return (
    <>
      <FileButton label={strings.chooseSubtitles} accept=".srt,.vtt,.txt" disabled={now.isBusy} onFile={begin} />
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
          <ol class="cues" tabindex={0} aria-label={strings.cuesTitle}>
            {cues.slice(0, SHOWN).map((cue: { start: number; end: number; text: string }, at: number) => (
              <li key={at}>
                <span class="number soft">{strings.time(decimal(cue.start, 1), decimal(cue.end, 1))}</span>{' '}
                <span class="text" dir="auto">
                  {cue.text}
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
