// Several channels as one. Recordings exist with one channel upside down, from a cable or a microphone of the wrong polarity: in a plain mean, what
// both channels have would be silence.
import { concat, createBlocks, NO_SAMPLES, type Stage } from '../stage.ts'

/** Channels are compared over about 0.2 s, in blocks of this length. */
const BLOCK_SECONDS = 0.02
const KEPT_SHARE = 0.9
/** Correlation below which a channel counts as upside down, and above which it counts as upright. Between them it stays as it was. */
const [OPPOSITE, ALIKE] = [-0.8, 0]
/** Smallest share of the energy of the loudest channel: a channel below it is no reference for the others. */
const MIN_SHARE = 0.01

/**
 * Takes the samples of all channels in turn and returns their mean, in which a channel that is upside down is turned around. Delays by one block at
 * most. A frame that is not complete at the end is dropped.
 */
export function createDownmix(channels: number, sampleRate: number): Stage {
  if (channels === 1) return { push: (samples) => samples, flush: () => NO_SAMPLES }
  const polarity = createPolarity(channels)
  const blocks = createBlocks(Math.max(1, Math.round(BLOCK_SECONDS * sampleRate)) * channels)
  return {
    push(samples) {
      const mixed: Float32Array[] = []
      blocks.push(samples, (block) => mixed.push(polarity.mix(block)))
      return concat(mixed)
    },
    flush: () => polarity.mix(blocks.rest()),
  }
}

/** All of it at once. */
export function downmixed(samples: Float32Array, channels: number, sampleRate: number): Float32Array {
  if (channels === 1) return samples
  const stage = createDownmix(channels, sampleRate)
  return concat([stage.push(samples), stage.flush()])
}

/** Same as `downmixed`, for channels in separate arrays. */
export function mixedDown(all: readonly Float32Array[], sampleRate: number): Float32Array {
  if (all.length === 1) return all[0]!
  const samples = new Float32Array(all.length * all[0]!.length)
  for (const [channel, own] of all.entries()) for (let i = 0; i < own.length; i++) samples[i * all.length + channel] = own[i]!
  return downmixed(samples, all.length, sampleRate)
}

function createPolarity(channels: number) {
  const signs = new Float64Array(channels).fill(1)
  const energies = new Float64Array(channels)
  /** Products of each channel with the reference. */
  const products = new Float64Array(channels)
  let reference = 0

  function measure(block: Float32Array): void {
    for (let channel = 0; channel < channels; channel++) {
      let [energy, product] = [0, 0]
      for (let at = 0; at + channels <= block.length; at += channels) {
        const sample = block[at + channel]!
        energy += sample * sample
        product += sample * block[at + reference]!
      }
      energies[channel] = KEPT_SHARE * energies[channel]! + energy
      products[channel] = KEPT_SHARE * products[channel]! + product
    }
  }

  /** The sign of each channel that the block ends with. */
  function turned(): Float64Array {
    return signs.map((sign, channel) => {
      const correlation = products[channel]! / Math.sqrt(energies[channel]! * energies[reference]!)
      if (correlation < OPPOSITE) return -signs[reference]!
      return correlation > ALIKE ? signs[reference]! : sign
    })
  }

  return {
    mix(block: Float32Array): Float32Array {
      const wasSilent = energies.every((energy) => energy === 0)
      measure(block)
      const loudest = energies.indexOf(energies.reduce((most, energy) => Math.max(most, energy)))
      if (energies[reference]! < MIN_SHARE * energies[loudest]!) {
        reference = loudest
        products.fill(0)
        energies.fill(0)
        measure(block)
      }
      const after = turned()
      const before = wasSilent ? after : signs.slice()
      const mono = new Float32Array(Math.floor(block.length / channels))
      for (let i = 0; i < mono.length; i++) {
        let sum = 0
        // A channel turns around over the whole block, without a click.
        for (let channel = 0; channel < channels; channel++)
          sum += block[i * channels + channel]! * (before[channel]! + ((after[channel]! - before[channel]!) * i) / mono.length)
        mono[i] = sum / channels
      }
      signs.set(after)
      return mono
    },
  }
}
