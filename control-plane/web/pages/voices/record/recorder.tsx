// The microphone as a WAV file, which the studio reads without another program; or a file that was chosen or dropped.
import { Action, LevelMeter } from '#control-plane/web/lib/controls.tsx'
import { duration } from '#control-plane/web/lib/format.ts'
import { useEffect, useMemo, useRef, useState } from '#control-plane/web/lib/html.ts'
import { notify } from '#control-plane/web/lib/notices.ts'
import { Icon } from '#control-plane/web/look/icons.tsx'
import { Sample } from '#control-plane/web/look/sample.tsx'
import { stopSound } from '#control-plane/web/look/sound.ts'
import { strings } from '#messages/library/voices.ts'

/** Rate of the recording that is sent. */
const RATE = 24_000
/** Longer recordings end by themselves. */
const MOST_SECONDS = 60
const LEVEL_MS = 80
const MOST_BYTES = 128 * 1024 ** 2
const SOUND = 'audio/\u002a'

/** 16-bit mono. `samples`: from -1 to 1 */
export function wavOf(samples: Float32Array, rate: number) {
  const view = new DataView(new ArrayBuffer(44 + samples.length * 2))
  const word = (at: number, text: string) => {
    for (let place = 0; place < text.length; place++) view.setUint8(at + place, text.charCodeAt(place))
  }
  word(0, 'RIFF')
  view.setUint32(4, 36 + samples.length * 2, true)
  word(8, 'WAVEfmt ')
  view.setUint32(16, 16, true)
  view.setUint16(20, 1, true)
  view.setUint16(22, 1, true)
  view.setUint32(24, rate, true)
  view.setUint32(28, rate * 2, true)
  view.setUint16(32, 2, true)
  view.setUint16(34, 16, true)
  word(36, 'data')
  view.setUint32(40, samples.length * 2, true)
  for (const [at, sample] of samples.entries()) view.setInt16(44 + at * 2, Math.round(Math.max(-1, Math.min(1, sample)) * 32_767), true)
  return view.buffer
}

/** `blob`: as the browser recorded it */
async function asWav(blob: Blob) {
  const buffer = await new OfflineAudioContext(1, 1, RATE).decodeAudioData(await blob.arrayBuffer())
  return new File([wavOf(buffer.getChannelData(0), RATE)], strings.recordedName, { type: 'audio/wav' })
}

/** The loudness of a running stream from 0 to 1. */
function meterOf(stream: MediaStream) {
  const device = new AudioContext()
  const analyser = device.createAnalyser()
  device.createMediaStreamSource(stream).connect(analyser)
  const samples = new Float32Array(analyser.fftSize)
  return {
    read() {
      analyser.getFloatTimeDomainData(samples)
      return Math.min(1, Math.max(...samples.map(Math.abs)) * 1.4)
    },
    close: () => void device.close(),
  }
}

/** Throws a DOMException where the microphone is refused. */
async function startRecorder(onLevel: (level: number, seconds: number) => void) {
  const stream = await navigator.mediaDevices.getUserMedia({
    audio: { echoCancellation: false, noiseSuppression: false, autoGainControl: false },
  })
  let meter: ReturnType<typeof meterOf> | undefined
  let timer: ReturnType<typeof setInterval> | undefined
  const free = () => {
    clearInterval(timer)
    meter?.close()
    for (const track of stream.getTracks()) track.stop()
  }
  try {
    const recorder = new MediaRecorder(stream)
    const parts: Blob[] = []
    recorder.addEventListener('dataavailable', ({ data }) => void parts.push(data))
    const ended = new Promise((resolve) => recorder.addEventListener('stop', resolve, { once: true }))
    const level = meterOf(stream)
    meter = level
    const began = performance.now()
    recorder.start()
    timer = setInterval(() => {
      const seconds = (performance.now() - began) / 1000
      onLevel(level.read(), seconds)
      if (seconds > MOST_SECONDS && recorder.state === 'recording') recorder.stop()
    }, LEVEL_MS)
    void ended.then(free)
    return {
      stop() {
        if (recorder.state === 'recording') recorder.stop()
      },
      /** Resolves once it was stopped. */
      recording: () => ended.then(() => asWav(new Blob(parts, { type: recorder.mimeType }))),
    }
  } catch (error) {
    free()
    throw error
  }
}

export type Recorder = Awaited<ReturnType<typeof startRecorder>>

const IDLE = { isRunning: false, level: 0, seconds: 0, trouble: '' }
/** By the name of the error of a browser. */
const TROUBLES: Readonly<Record<string, string>> = { NotAllowedError: strings.blocked, NotFoundError: strings.noDevice }
/** Recordings so far. The sound of the studio is known by its address, so each has one of its own. */
let made = 0

export function Recording({
  file,
  onFile,
  label,
  text,
  hint,
}: {
  file: File | null
  onFile: (file: File | null) => void
  /** label of the recording */
  label: string
  /** text to record */
  text: string
  hint?: string
}) {
  const input = useRef<HTMLInputElement | null>(null)
  const running = useRef<Recorder | null>(null)
  const [{ isRunning, level, seconds, trouble }, set] = useState(IDLE)
  const [isOver, setOver] = useState(false)
  const path = useMemo(() => `own:${made++}`, [file])
  const isGone = useRef(false)
  useEffect(
    () => () => {
      isGone.current = true
      running.current?.stop()
    },
    [],
  )
  const take = (chosen: File | undefined) => {
    if (!chosen) return
    if (chosen.size > MOST_BYTES) return notify(strings.tooLarge, 'error')
    onFile(chosen)
  }
  const record = async () => {
    if (!navigator.mediaDevices?.getUserMedia) return set({ ...IDLE, trouble: strings.noMicrophone })
    try {
      const recorder = await startRecorder((now, at) => set({ isRunning: true, level: now, seconds: at, trouble: '' }))
      // The question of the browser may be answered after the page was left.
      if (isGone.current) return recorder.stop()
      running.current = recorder
      set({ ...IDLE, isRunning: true })
      onFile(await recorder.recording())
      set(IDLE)
    } catch (error) {
      set({ ...IDLE, trouble: TROUBLES[error instanceof DOMException ? error.name : ''] ?? strings.recordFailed })
    }
    running.current = null
  }
  const discard = () => {
    stopSound(path)
    onFile(null)
  }
  const changed = () => {
    take(input.current?.files?.[0])
    if (input.current) input.current.value = ''
  }
  const over = (event: DragEvent) => {
    event.preventDefault()
    setOver(event.type === 'dragover')
    if (event.type === 'drop') take(event.dataTransfer?.files[0])
  }
  if (file)
    return (
      <div class="recorded">
        <Sample path={path} name={label} own={file} />
        <button type="button" class="quiet" onClick={discard}>
          {strings.discard}
        </button>
      </div>
    )
  if (isRunning)
    return (
      <div class="drop recording-now">
        <p class="lead" role="status">
          {strings.recording(duration(seconds))}
        </p>
        <LevelMeter level={level} label={strings.level} />
        <button type="button" class="main" onClick={() => running.current?.stop()}>
          <Icon of="stopped" />
          {strings.stop}
        </button>
      </div>
    )
  return (
    <div class={isOver ? 'drop over small' : 'drop small'} onDragOver={over} onDragLeave={over} onDrop={over}>
      <input ref={input} type="file" hidden accept={SOUND} aria-label={label} onChange={changed} />
      <p>{text}</p>
      <div class="row center">
        <Action onPress={record}>
          <Icon of="voice" />
          {strings.record}
        </Action>
        <button type="button" onClick={() => input.current?.click()}>
          <Icon of="upload" />
          {strings.choose}
        </button>
      </div>
      {hint && <small>{hint}</small>}
      {trouble && (
        <p class="callout bad text" role="alert">
          {trouble}
        </p>
      )}
    </div>
  )
}
