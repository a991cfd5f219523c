// Text to sound: what to say, what becomes of it, the take on the desk, and the takes of before.
import { get } from '../api.js'
import { html, useCallback, useEffect, useState } from '../html.js'
import { notify } from '../parts/basics.js'
import { Unavailable } from '../parts/speak-engines.js'
import { SpeakForm, useDraft } from '../parts/speak-form.js'
import { useMaking } from '../parts/speak-making.js'
import { Making } from '../parts/speak-status.js'
import { Takes } from '../parts/speak-takes.js'
import { Wave } from '../parts/speak-wave.js'
import { useRead } from '../parts/use-read.js'

export function Speak({ live }) {
  const [draft, change] = useDraft()
  const engines = useRead(() => get('/engines/tts'))
  const voices = useRead(() => get('/v1/audio/voices'))
  const takes = useRead(() => get('/history'))
  const [desk, setDesk] = useState(null)
  const profiles = voices.value?.voices.filter(({ type }) => type === 'profile') ?? []
  const made = useCallback((take) => {
    setDesk((old) => {
      if (old?.url.startsWith('blob:')) URL.revokeObjectURL(old.url)
      return { ...take, autoplay: !take.live }
    })
    if (take.id !== null) void takes.again()
  }, [])
  const making = useMaking(made)
  // Which machines are there decides which engines speak.
  const ready = live.fleet?.workers.filter(({ state }) => state === 'ready').length ?? 0
  useEffect(() => void engines.again(), [ready, live.connected])

  const hear = (take) => {
    if (making.busy) return notify('Something is being made and heard; stop it first, or wait for its end.', 'error')
    making.stop()
    setDesk({ id: take.id, url: `/audio/${take.audio_path}`, file: take.audio_path, text: take.text, autoplay: true })
  }
  const changed = async () => {
    await takes.again()
    const now = await get('/history')
    setDesk((old) => (old?.id && !now.some(({ id }) => id === old.id) ? null : old))
  }
  const wrong = engines.error || voices.error
  return html`
    ${wrong && html`<p class="callout bad" role="alert">${wrong}</p>`}
    <${SpeakForm} draft=${draft} onChange=${change} tts=${engines.value} profiles=${profiles} making=${making} />
    <${Making} making=${making} />
    ${desk && html`<${Wave} take=${desk} quiet=${making.busy} onPlay=${() => making.busy || making.stop()} />`}
    <${Takes} takes=${takes.value} error=${takes.error} deskId=${desk?.id} onHear=${hear} onChanged=${changed} />
    <${Unavailable} tts=${engines.value} />`
}
