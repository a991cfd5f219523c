import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import { EFFECT_PRESETS } from '#shared/audio/effects.ts'
import type { Direction } from './direction/direction.service.ts'
import { planSegments } from './fingerprint.rules.ts'
import { PLUGINS } from './plugins.ts'
import type { Probe } from './probe.service.ts'
import type { RateFit } from './rate-fit/rate-fit.service.ts'
import { toolsContracts } from './tools.contract.ts'

type Parts = { readonly probe: Probe; readonly direction: Direction; readonly rateFit: RateFit }

export const toolsRoutes = ({ probe, direction, rateFit }: Parts): Route[] => [
  handle(toolsContracts.probe, ({ body, signal }) => probe.read(body.path, signal)),
  handle(toolsContracts.incremental, ({ body: { segments, stored_hashes, lang, voice_match } }) =>
    planSegments(segments, stored_hashes ?? {}, { lang: lang ?? null, voiceMatch: voice_match ?? null }),
  ),
  handle(toolsContracts.direction, ({ body, signal }) => direction.parse(body.text, signal)),
  handle(toolsContracts.rateFit, ({ body, signal }) => rateFit.fit(body, signal)),
  handle(toolsContracts.effects, () => EFFECT_PRESETS.map((preset) => ({ ...preset }))),
  handle(toolsContracts.plugins, () => PLUGINS.map((plugin) => ({ ...plugin, supported_languages: [...plugin.supported_languages] }))),
]
