// @ts-check
// The selected take: its waveform, which is the slider of its position, a play button, and its file.
import { messageOf } from '../../lib/api.js'
import { html, useEffect } from '../../lib/html.js'
import { notify } from '../../lib/notices.js'
import { strings as shared } from '../../lib/strings.js'
import { Icon } from '../../look/icons.js'
import { clock, Track, useWaveform } from '../../look/sample.js'
import { PlayButton, playSound, useDock, useSound } from '../../look/sound.js'
import { useIsPhone } from '../../look/windowed.js'
import { strings } from './strings.js'

/** @import { Take } from './request.js' */

const TITLE_CHARS = 80
const BARS = 160
const PHONE_BARS = 80

/** Takes that began by themselves; they do so once. @type {WeakSet<Take>} */
const startedTakes = new WeakSet()

/** @param {{ take: Take }} props */
export function Wave({ take }) {
  const { id, url, sound, text, file, autoplay } = take
  // A blob is not fetched by its URL: the policy allows requests to the studio only.
  const wave = useWaveform(url, sound ?? null, useIsPhone() ? PHONE_BARS : BARS)
  const now = useSound()
  const at = now.path === url ? now.at : 0
  useDock(url)
  const play = (/** @type {number | undefined} */ from) =>
    playSound(url, {
      ...(from !== undefined && { from }),
      blob: wave.blob,
      title: text.slice(0, TITLE_CHARS),
      href: id === null ? '#/speak' : `#/speak?take=${encodeURIComponent(id)}`,
    }).catch((error) => notify(messageOf(error), 'error'))
  const isReady = wave.length > 0
  useEffect(() => {
    if (!isReady || !autoplay || startedTakes.has(take)) return
    startedTakes.add(take)
    void play(0)
  }, [take, isReady])
  return html`<section class="sheet player" aria-label=${strings.selectedTake} data-ready=${isReady}>
    <p class="text clip desk" dir="auto">${text}</p>
    <${Track} wave=${wave} at=${at} label=${strings.position} text=${strings.positionText(clock(at), clock(wave.length))} onSeek=${play} />
    ${wave.isBroken && html`<p class="callout bad" role="alert">${strings.broken}</p>`}
    <div class="row">
      <${PlayButton} path=${url} label=${shared.play} pauseLabel=${shared.pause} kind="main play" onPress=${() => play(undefined)} />
      <span class="soft number">${clock(at)} / ${clock(wave.length)}</span><span class="spread"></span>
      <a class="button quiet icon-only" href=${url} download=${file} title=${shared.download} aria-label=${shared.download}><${Icon} of="download" /></a>
    </div>
  </section>`
}
