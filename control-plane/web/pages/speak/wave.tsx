// The selected take: its waveform, which is the slider of its position, a play button, and its file.
import { messageOf } from '#control-plane/web/lib/api.ts'
import { useEffect } from '#control-plane/web/lib/html.ts'
import { notify } from '#control-plane/web/lib/notices.ts'
import { Icon } from '#control-plane/web/look/icons.tsx'
import { PlayButton } from '#control-plane/web/look/play-button.tsx'
import { clock, Track, useWaveform } from '#control-plane/web/look/sample.tsx'
import { playSound, useDock, useSound } from '#control-plane/web/look/sound.ts'
import { useIsPhone } from '#control-plane/web/look/windowed.ts'
import { strings } from '#messages/create/speak.ts'
import { strings as shared } from '#messages/shared.ts'
import type { Take } from './request.ts'

const TITLE_CHARS = 80
const BARS = 160
const PHONE_BARS = 80

/** Takes that began by themselves; they do so once. */
const startedTakes: WeakSet<Take> = new WeakSet()

export function Wave({ take }: { take: Take }) {
  const { id, url, sound, text, file, autoplay } = take
  // A blob is not fetched by its URL: the policy allows requests to the studio only.
  const wave = useWaveform(url, sound ?? null, useIsPhone() ? PHONE_BARS : BARS)
  const now = useSound()
  const at = now.path === url ? now.at : 0
  useDock(url)
  const play = (from: number | undefined) =>
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
  return (
    <section class="sheet player" aria-label={strings.selectedTake} data-ready={isReady}>
      <p class="text clip desk" dir="auto">
        {text}
      </p>
      <Track wave={wave} at={at} label={strings.position} text={strings.positionText(clock(at), clock(wave.length))} onSeek={play} />
      {wave.isBroken && (
        <p class="callout bad" role="alert">
          {strings.broken}
        </p>
      )}
      <div class="row">
        <PlayButton path={url} label={shared.play} pauseLabel={shared.pause} kind="main play" onPress={() => play(undefined)} />
        <span class="soft number">
          {clock(at)} / {clock(wave.length)}
        </span>
        <span class="spread"></span>
        <a class="button quiet icon-only" href={url} download={file} title={shared.download} aria-label={shared.download}>
          <Icon of="download" />
        </a>
      </div>
    </section>
  )
}
