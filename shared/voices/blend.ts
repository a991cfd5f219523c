// Blends of voices as other servers of Kokoro write them: `af_bella(2)+af_sky(1)`, or `af_bella+af_sky` for equal weights. Pure.

export const BLEND_LIMITS = { voices: 8, weight: 100, characters: 128 } as const

/** `share`: of the whole blend; all shares add up to 1. */
export type Blend = readonly { readonly voice: string; readonly share: number }[]

const PART = /^([\w .-]{1,64}?)(?:\((\d{1,3}(?:\.\d{1,3})?)\))?$/

/**
 * The voices of a blend and their canonical form. `find`: the id of a voice for its name; undefined if there is none. Null for a text that is no blend,
 * or that names a voice that does not exist, the same voice twice, more than eight voices, or a weight of 0 or above 100.
 */
export function parseBlend(
  text: string,
  find: (name: string) => string | undefined,
): { readonly id: string; readonly parts: Blend } | null {
  if (text.length > BLEND_LIMITS.characters || !/[+(]/.test(text)) return null
  const written = text.split('+', BLEND_LIMITS.voices + 1)
  if (written.length > BLEND_LIMITS.voices) return null
  const weights = new Map<string, number>()
  for (const part of written) {
    const [, name, amount = '1'] = PART.exec(part.trim()) ?? []
    const voice = name === undefined ? undefined : find(name)
    const weight = Number(amount)
    if (voice === undefined || weights.has(voice) || weight <= 0 || weight > BLEND_LIMITS.weight) return null
    weights.set(voice, weight)
  }
  const sum = [...weights.values()].reduce((total, weight) => total + weight, 0)
  const parts = [...weights].map(([voice, weight]) => ({ voice, share: weight / sum }))
  return { id: [...weights].map(([voice, weight]) => `${voice}(${weight})`).join('+'), parts }
}
