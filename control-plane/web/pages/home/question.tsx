// The choice of what becomes of a recording that was opened on Home.
import { notify } from '#control-plane/web/lib/notices.ts'
import { strings } from '#messages/start/home.ts'

async function transcribe(file: File) {
  const { choose } = await import('../transcribe/transcription.ts')
  if (!choose(file)) notify(strings.otherTranscript, 'error')
  location.hash = '#/transcribe'
}

async function dub(file: File) {
  const { sendFilm } = await import('../dub/upload.ts')
  sendFilm(file)
  location.hash = '#/dub'
}

/** Asks what becomes of a recording. */
export const Question = ({ file, onClose }: { file: File; onClose: () => void }) => (
  <div class="row" role="group" aria-label={strings.askFile(file.name)}>
    <span class="text one-line" dir="auto">
      {strings.askFile(file.name)}
    </span>
    <button type="button" class="tint" onClick={() => dub(file)}>
      {strings.dubIt}
    </button>
    <button type="button" class="tint" onClick={() => transcribe(file)}>
      {strings.transcribeIt}
    </button>
    <button type="button" class="quiet" onClick={onClose}>
      {strings.keepOut}
    </button>
  </div>
)
