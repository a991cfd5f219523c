// The profile that a bundle becomes. Pure.

import type { NewProfile, VoiceAttributes } from '#control-plane/features/voices/profiles/api.ts'
import { attributesOf, completeAttributes, instructOf, sanitise } from '#shared/voices/recipe.ts'
import type { VoiceBundle } from './bundle-read.ts'

/** A design is described with known words only. A clone keeps its words, which no engine has to follow. */
function recipeOf({ kind, instruct, attributes }: VoiceBundle): { readonly instruct: string; readonly attributes: VoiceAttributes | null } {
  if (kind === 'clone') return { instruct, attributes }
  const chosen = attributes && completeAttributes(attributes)
  const line = sanitise(instruct) || (chosen ? instructOf(chosen) : '')
  return { instruct: line, attributes: chosen ?? attributesOf(line) }
}

/** True if the preview is all that can be heard of the voice. */
export const isPreviewOnly = ({ reference, locked }: VoiceBundle): boolean => reference === null && locked === null

/** Null if the bundle contains no recording. */
export function newProfileOf(bundle: VoiceBundle): Omit<NewProfile, 'madeBy'> | null {
  const { name, kind, language, personality, description, seed, locked, consent, source } = bundle
  const recording = bundle.reference ?? bundle.preview?.recording ?? locked?.recording ?? null
  if (recording === null) return null
  return {
    name,
    kind,
    language,
    ...recipeOf(bundle),
    personality,
    description,
    seed,
    // The transcript of the whole recording does not fit to a part of it.
    refText: bundle.reference ? bundle.refText : (bundle.preview?.text ?? ''),
    origin: `bundle:${bundle.digest}`,
    originUrl: source.url,
    staysHere: source.staysHere,
    recording,
    madeWith: source.madeWith,
    locked,
    portrait: bundle.portrait,
    statement: consent?.isVerified && consent.recording ? { text: consent.text, recording: consent.recording, method: 'imported' } : null,
  }
}
