// The transforms of the separation networks at their full size, compared with the definitions that numpy and torch implement: a direct Fourier
// sum per bin and per sample. HTDemucs transforms inside its graph, so only its cross-fade runs here (windows.test.ts).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MDX_MODELS } from '#agent/engine/separate/mdx/models.ts'
import { createSpectrum, type Geometry } from '#agent/engine/separate/mdx/spectrum.ts'
import { noise } from '../agent/engine/audio/recording.ts'

const hann = (length: number) => Float64Array.from({ length }, (_, at) => 0.5 - 0.5 * Math.cos((2 * Math.PI * at) / length))
/** torch.stft with centred frames: the edges are mirrored without their outermost sample. */
const mirrored = (channel: Float32Array, at: number): number =>
  channel[at < 0 ? -at : at >= channel.length ? 2 * (channel.length - 1) - at : at]!

function forwardAt(channel: Float32Array, { fftSize, hop }: Geometry, bin: number, frame: number): [number, number] {
  const window = hann(fftSize)
  let [real, imaginary] = [0, 0]
  for (let at = 0; at < fftSize; at++) {
    const value = window[at]! * mirrored(channel, frame * hop + at - fftSize / 2)
    const angle = (2 * Math.PI * ((bin * at) % fftSize)) / fftSize
    real += value * Math.cos(angle)
    imaginary -= value * Math.sin(angle)
  }
  return [real, imaginary]
}

/** torch.istft of bins that are zero above the network's: overlap-add of windowed frames, divided by the sum of the squared windows. */
function inverseAt(
  plane: (bin: number, frame: number) => [number, number],
  { fftSize, hop, bins, frames }: Geometry,
  sample: number,
): number {
  const window = hann(fftSize)
  const position = sample + fftSize / 2
  let [sum, weight] = [0, 0]
  for (let frame = 0; frame < frames; frame++) {
    const at = position - frame * hop
    if (at < 0 || at >= fftSize) continue
    let value = plane(0, frame)[0]
    for (let bin = 1; bin < bins; bin++) {
      const [real, imaginary] = plane(bin, frame)
      const angle = (2 * Math.PI * ((bin * at) % fftSize)) / fftSize
      value += 2 * (real * Math.cos(angle) - imaginary * Math.sin(angle))
    }
    sum += (window[at]! * value) / fftSize
    weight += window[at]! ** 2
  }
  return sum / weight
}

for (const [name, { geometry }] of Object.entries(MDX_MODELS)) {
  const { bins, frames, fftSize, hop } = geometry
  const plane = bins * frames
  const spectrum = createSpectrum(geometry)

  test(`model "${name}": the spectrum of both channels equals the direct transform, at the edges too`, () => {
    assert.equal(spectrum.length, hop * (frames - 1))
    const sound = [noise(spectrum.length, 0.3, 1), noise(spectrum.length, 0.1, 2)] as const
    const values = spectrum.analyse(sound)
    for (const [channel, samples] of sound.entries())
      for (const frame of [0, 1, 3, 100, frames - 2, frames - 1])
        for (const bin of [0, 1, 2, 511, 1_024, bins - 1]) {
          const [real, imaginary] = forwardAt(samples, geometry, bin, frame)
          const at = 2 * channel * plane + bin * frames + frame
          // Sums of thousands of values in double precision, stored as floats.
          assert.ok(Math.abs(values[at]! - real) < 1e-4, `real part, channel ${channel}, frame ${frame}, bin ${bin}`)
          assert.ok(Math.abs(values[at + plane]! - imaginary) < 1e-4, `imaginary part, channel ${channel}, frame ${frame}, bin ${bin}`)
        }
  })

  test(`model "${name}": the sound of any output equals the direct inverse`, () => {
    const values = noise(4 * plane, 1, 3)
    const sound = spectrum.synthesise(values)
    const mono = (bin: number, frame: number): [number, number] => {
      const at = bin * frames + frame
      return [(values[at]! + values[2 * plane + at]!) / 2, (values[plane + at]! + values[3 * plane + at]!) / 2]
    }
    for (const sample of [0, 1, hop - 1, fftSize, 100_000, 100_001, spectrum.length - fftSize, spectrum.length - 1]) {
      const expected = inverseAt(mono, geometry, sample)
      assert.ok(Math.abs(sound[sample]! - expected) < 1e-5, `sample ${sample}: ${sound[sample]}, not ${expected}`)
    }
  })
}
