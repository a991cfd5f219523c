// What is said where no machine can follow the recording of a voice. Pure.
import { TTS_ENGINES } from '#shared/engines.ts'
import { CATALOGUE } from '#shared/models/catalogue.ts'
import { Failure } from '#shared/protocol/failure.ts'

export const modelMissing = (engine: string, message: string, ids: readonly string[] = [], sizeBytes: number | null = null): Failure =>
  new Failure('MODEL_NOT_DOWNLOADED', message, {
    detail: {
      error: 'model_not_downloaded',
      message,
      engine,
      repo_ids: ids,
      size_bytes: sizeBytes,
      target: 'local',
      target_label: 'Local',
      downloadable: ids.length > 0,
    },
  })

/** Speaking with another person's voice needs an engine that can, and its weights; no other voice must pretend. */
export function cloningRefusal(engine: string): Failure {
  const able = TTS_ENGINES.filter(({ cloning }) => cloning === true)
  if (!able.some(({ id }) => id === engine)) {
    const names = able.filter(({ packaging }) => packaging !== 'none').map(({ id }) => id)
    return new Failure('BAD_REQUEST', `${engine.slice(0, 64)} cannot follow a reference voice. These engines can: ${names.join(', ')}.`)
  }
  const models = CATALOGUE.filter((row) => row.engine === engine)
  const first = models.find(({ required }) => required) ?? models[0]
  const how = first ? ` Install them with ./studio models install ${first.id}, or leave` : ' Leave'
  return modelMissing(
    engine,
    `A reference voice needs the weights of ${engine}, which are not installed on the machine that work goes to.${how} the reference out.`,
    first ? [first.id] : [],
    first ? Math.round(first.sizeGb * 1e9) : null,
  )
}
