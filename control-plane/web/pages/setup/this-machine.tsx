// The first step: the hardware that was found, and one sentence that it really spoke.

import { placeNow } from '#control-plane/web/frame/runs-on.tsx'
import { messageOf, request } from '#control-plane/web/lib/api.ts'
import type { EngineFamilies, MachineView, MediaToolStatus, PreflightReply, RoutingView } from '#control-plane/web/lib/api-types.ts'
import type { Tone } from '#control-plane/web/lib/controls.tsx'
import { Action, Badge } from '#control-plane/web/lib/controls.tsx'
import { bytes } from '#control-plane/web/lib/format.ts'
import { useEffect, useState } from '#control-plane/web/lib/html.ts'
import { checkText, serverSentence } from '#control-plane/web/lib/server-texts.ts'
import type { IconName } from '#control-plane/web/look/icons.tsx'
import { Icon } from '#control-plane/web/look/icons.tsx'
import { strings as frame } from '#messages/frame.ts'
import { decimal } from '#messages/language.ts'
import { strings } from '#messages/start/setup.ts'
import { GB } from './fit.ts'
import { hardwareOf } from './hardware.ts'

/** Result of the sentence. speed: seconds of sound for each second of work */
export type Spoken = { state: 'untested' | 'speaking' | 'spoken' | 'failed'; speed: number; message: string }
const UNTESTED: Spoken = { state: 'untested', speed: 0, message: '' }
const SPEAKING: Spoken = { state: 'speaking', speed: 0, message: '' }
const FASTEST_WITH_TENTHS = 10

/** Speaks one sentence with this engine. null: it is not known yet. '': nothing is spoken by itself */
export function useSpoken(engine: string | null): { spoken: Spoken; again: () => Promise<void> } {
  const [spoken, set] = useState(SPEAKING)
  const speak = async (signal?: AbortSignal) => {
    if (!engine) return
    set(SPEAKING)
    try {
      const answer = await request('POST', `/engines/${encodeURIComponent(engine)}/selftest`, signal ? { signal } : {})
      const { ok, message, duration_ms: ms, audio_seconds: seconds } = await answer.json()
      if (ok) set({ state: 'spoken', speed: seconds / (ms / 1000), message: '' })
      else set({ state: 'failed', speed: 0, message })
    } catch (error) {
      if (!signal?.aborted) set({ state: 'failed', speed: 0, message: messageOf(error) })
    }
  }
  useEffect(() => {
    if (engine === '') return set(UNTESTED)
    const leaving = new AbortController()
    void speak(leaving.signal)
    return () => leaving.abort()
  }, [engine])
  return { spoken, again: () => speak() }
}

const Tile = ({ icon, name, detail }: { icon: IconName; name: string; detail: string }) => (
  <li>
    <Icon of={icon} />
    <span>
      <b class="text one-line">{name || '\u00a0'}</b>
      <small class="text one-line" title={detail}>
        {detail}
      </small>
    </span>
  </li>
)

const speedText = (speed: number) => strings.speed(decimal(speed, speed < FASTEST_WITH_TENTHS ? 1 : 0))

/** The engine that speaks here; empty if speech is made elsewhere or by a separate program, which is not tested; null while unknown */
function engineToTest(engines: EngineFamilies | null, routing: RoutingView | null): string | null {
  if (!engines || !routing) return null
  const active = engines.tts.backends.find(({ id }) => id === engines.tts.active)
  return active && !routing.active.remote && active.isolation_mode === 'in-process' ? active.id : ''
}

/** `engines`, `routing`, `own`, `tools`, `preflight`: null until they are read */
export function ThisMachine({
  engines,
  routing,
  own,
  tools,
  preflight,
  onAgain,
}: {
  engines: EngineFamilies | null
  routing: RoutingView | null
  own: MachineView | null
  tools: MediaToolStatus | null
  preflight: PreflightReply | null
  onAgain: () => Promise<unknown>
}) {
  const active = engines?.tts.backends.find(({ id }) => id === engines.tts.active)
  const { spoken, again } = useSpoken(engineToTest(engines, routing))
  const away = routing?.active.remote ? frame.now('tts', placeNow(routing)) : ''
  const onCard = away === '' && active !== undefined && active.effective_device !== 'cpu' && !('hint' in active && active.hint)
  const found = hardwareOf(own)
  const looks: Record<Spoken['state'], [Tone, string]> = {
    untested: ['quiet', away],
    speaking: ['busy', strings.speaking],
    spoken: ['good', onCard ? strings.cardWorks : strings.processorWorks],
    failed: ['bad', strings.notSpoken],
  }
  const [tone, word] = looks[spoken.state]
  const speed = spoken.state === 'spoken' && spoken.speed > 0 ? speedText(spoken.speed) : ''
  const hasCard = Boolean(found?.card)
  const problems = (preflight?.checks ?? []).filter(({ status, id }) => status !== 'pass' && !(id === 'gpu' && !hasCard))
  const failed = problems.filter(({ status }) => status === 'fail').length
  const free = preflight?.device.disk_free_gb ?? null
  const look = async () => {
    await Promise.all([onAgain(), again()])
  }
  return (
    <section class="sheet step" aria-label={strings.machine} data-spoken={spoken.state}>
      <span class={spoken.state === 'spoken' ? 'step-mark good' : 'step-mark'} aria-hidden="true">
        {spoken.state === 'spoken' ? <Icon of="check" /> : '1'}
      </span>
      <div class="row">
        <h2>{strings.machine}</h2>
        <span role="status">{word && <Badge tone={tone}>{word}</Badge>}</span>
        <span class="spread"></span>
        <Action kind="quiet" onPress={look}>
          <Icon of="again" />
          {strings.lookAgain}
        </Action>
      </div>
      <ul class="hardware-tiles" aria-busy={found === null}>
        <Tile
          icon="model"
          name={found ? found.card || strings.noCard : ''}
          detail={
            hasCard ? [found?.cardMemory, onCard ? speed : strings.cardLater].filter(Boolean).join(' · ') : away ? '' : strings.onProcessor
          }
        />
        <Tile icon="machine" name={found?.cores ?? ''} detail={(onCard ? '' : speed) || (found?.system ?? '')} />
        <Tile icon="files" name={free === null ? '' : strings.free(bytes(free * GB))} detail={strings.forFiles} />
        <Tile icon="film" name={strings.ffmpeg} detail={tools === null ? '' : tools.ready ? strings.media : strings.noMedia} />
      </ul>
      {spoken.state === 'failed' && (
        <p class="callout bad text" role="alert">
          {spoken.message}
        </p>
      )}
      <div class="found-checks">
        {(problems.length > 0 || tools?.ready === false) && (
          <details open={failed > 0}>
            <summary>
              {failed > 0
                ? strings.checksFailed(failed, preflight?.checks.length ?? failed)
                : strings.suggestions(problems.length + (tools?.ready === false ? 1 : 0))}
            </summary>
            <ul class="checks">
              {problems.map(({ id, label, status, detail, fix }) => (
                <li key={id} class="warn">
                  <Icon of={status === 'fail' ? 'failed' : 'warning'} />
                  <span class="text">
                    <b>{checkText(id) ?? label}</b> {serverSentence(detail)} {serverSentence(fix ?? '')}
                  </span>
                </li>
              ))}
              {tools?.ready === false && (
                <li class="warn">
                  <Icon of="warning" />
                  <span class="text">{tools.tools.ffmpeg.ok ? strings.restartForFfmpeg : strings.installFfmpeg}</span>
                </li>
              )}
            </ul>
          </details>
        )}
      </div>
    </section>
  )
}
