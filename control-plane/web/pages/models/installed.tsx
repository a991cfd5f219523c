// One installed model: whether its engine is the default of its family, whether it is in memory, and the buttons to change that.
import { post } from '#control-plane/web/lib/api.ts'
import type { EngineFamilies, Gets, ModelEntry } from '#control-plane/web/lib/api-types.ts'
import { Action, Badge } from '#control-plane/web/lib/controls.tsx'
import { notify } from '#control-plane/web/lib/notices.ts'
import { strings } from '#messages/system/models.ts'
import type { Download } from '../setup/downloads.ts'
import type { Room } from '../setup/fit.ts'
import { Model } from './model.tsx'

export type LoadedModel = Gets['/model/loaded']['models'][number]
export type Choice = { family: 'tts' | 'asr'; isDefault: boolean; canBeDefault: boolean }

/** Place of a model in the choice of engines. Null for one that no family lists. Pure. */
export function choiceOf({ role, engine, installed }: ModelEntry, engines: EngineFamilies | null): Choice | null {
  const family = role === 'TTS' ? 'tts' : role === 'ASR' ? 'asr' : null
  if (!family || !engines || !installed) return null
  const { active, env_override: isPinned, backends } = engines[family]
  const row = backends.find(({ id }) => id === engine)
  if (!row) return null
  return { family, isDefault: active === engine, canBeDefault: active !== engine && row.available && !isPinned }
}

/** The entry of a model in memory. Engines with one model do not name it. */
export const loadedOf = ({ engine, model }: ModelEntry, loaded: readonly LoadedModel[]) =>
  loaded.find(({ engine_id: id, checkpoint }) => id === engine && (checkpoint === '' || checkpoint === model))

/** Throws the reason of a refusal as a notice. */
export async function unload({ id }: LoadedModel) {
  const { success, reason } = await post(`/model/unload/${encodeURIComponent(id)}` as `/model/unload/${string}`, {})
  notify(success ? strings.unloaded : (reason ?? strings.stays), success ? 'good' : 'error')
}

export function InstalledModel({
  model,
  engines,
  loaded,
  ...rest
}: {
  model: ModelEntry
  engines: EngineFamilies | null
  loaded: readonly LoadedModel[]
  download: Download | undefined
  room: Room
  target: string
  onChanged: () => Promise<unknown>
}) {
  const { label, engine } = model
  const choice = choiceOf(model, engines)
  const resident = loadedOf(model, loaded)
  const act = (run: () => Promise<unknown>) => async () => {
    await run()
    await rest.onChanged()
  }
  const choose = act(async () => {
    await post('/engines/select', { family: choice?.family ?? 'tts', backend_id: engine })
    notify(strings.chosen(label))
  })
  const preload = act(async () => {
    await post(`/setup/warmup?engine=${encodeURIComponent(engine)}&wait=true`, {})
    notify(strings.preloaded)
  })
  const badges = (
    <>
      {choice?.isDefault && <Badge tone="good">{strings.defaults[choice.family]}</Badge>}
      {resident && <Badge>{strings.inMemory}</Badge>}
    </>
  )
  const actions = (
    <>
      {choice?.canBeDefault && (
        <Action kind="quiet" aria-label={strings.of(strings.makeDefault, label)} onPress={choose}>
          {strings.makeDefault}
        </Action>
      )}
      {choice && !resident && (
        <Action kind="quiet" aria-label={strings.of(strings.preload, label)} onPress={preload}>
          {strings.preload}
        </Action>
      )}
      {resident?.unloadable && (
        <Action kind="quiet" aria-label={strings.of(strings.unload, label)} onPress={act(() => unload(resident))}>
          {strings.unload}
        </Action>
      )}
    </>
  )
  return <Model model={model} badges={badges} actions={actions} {...rest} />
}
