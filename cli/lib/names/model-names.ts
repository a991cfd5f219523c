// Names of models as a person types them: the id, the engine, or words of the id and the label, such as `kokoro` or `whisper small`.

import { engineRow } from '#shared/engines.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { COMMAND } from '#shared/protocol/version.ts'
import { nearestOf } from '../nearest.ts'

type Named = { readonly repo_id: string; readonly label: string; readonly engine: string }
const SUGGESTIONS = 3
const MATCHES_SHOWN = 8
/** Longer names are typing errors; the comparison takes time with the square of the length. */
const NAME_LIMIT = 200
/** A shorter word, such as `en`, must be a whole word of the name. */
const PART_LENGTH = 3

/**
 * The model to install: that id, the first of that engine, or the first variant of the only repository that matches; of several, the first one that is
 * recommended for the machine. `recommended`: ids.
 */
export function modelToInstall<M extends Named>(models: readonly M[], text: string, recommended: readonly string[] = []): M {
  const name = nameIn(text)
  const first = models.find((model) => isNamed(model, name)) ?? models.find(({ engine }) => engine === name)
  if (first) return first
  const matching = matchesOf(models, name)
  const repositories = new Set(matching.map(repositoryOf))
  if (repositories.size === 1) return matching[0]!
  const fitting = matching.find(({ repo_id }) => recommended.includes(repo_id))
  if (fitting) return fitting
  throw unclear(name, matching, models)
}

/** The model to remove among `models`, which are on the machine. A name that two of them match is refused, unless it is an id. */
export function modelToRemove<M extends Named>(models: readonly M[], text: string): M {
  const name = nameIn(text)
  const exact = models.find(({ repo_id }) => repo_id.toLowerCase() === name)
  if (exact) return exact
  const matching = models.filter((model) => isNamed(model, name) || model.engine === name || matchesOf([model], name).length > 0)
  if (matching.length === 1) return matching[0]!
  if (models.length === 0) throw new Failure('NOT_FOUND', 'No model is installed.')
  throw unclear(name, matching, models)
}

/**
 * The model to verify: that id; else the installed one that the name matches, refused if there are several; else the one to install. `name`
 * may also be an engine whose weights come with the agent, which is not in the list.
 */
export function modelToVerify<M extends Named & { readonly installed: boolean }>(models: readonly M[], text: string): string {
  const name = nameIn(text)
  const exact = models.find((model) => isNamed(model, name))
  if (exact) return exact.repo_id
  if (engineRow(name)?.packaging === 'built-in' && !models.some(({ engine }) => engine === name)) return name
  const installed = models.filter((model) => model.installed)
  const isMatch = (model: M) => model.engine === name || matchesOf([model], name).length > 0
  return (installed.some(isMatch) ? modelToRemove(installed, text) : modelToInstall(models, text)).repo_id
}

/** NOT_FOUND with the nearest models, or CONFLICT with those that match. */
function unclear(name: string, matching: readonly Named[], models: readonly Named[]): Failure {
  if (matching.length > 0) {
    const more = matching.length > MATCHES_SHOWN ? ', …' : ''
    return new Failure(
      'CONFLICT',
      `${name} matches ${matching.length} models. Name one of them: ${listOf(matching.slice(0, MATCHES_SHOWN))}${more}`,
    )
  }
  const repositories = models.filter((model, at) => models.findIndex((other) => repositoryOf(other) === repositoryOf(model)) === at)
  const near = nearestOf(name, repositories, (model) => [model.engine, shortId(model), ...wordsOf(model.label)], SUGGESTIONS)
  return new Failure('NOT_FOUND', `There is no model ${name}. The nearest are: ${listOf(near)}. List all with ${COMMAND} models.`)
}

/** The models whose id and label contain all words of `name`; only those whose id contains `name` itself, if there are any. */
function matchesOf<M extends Named>(models: readonly M[], name: string): M[] {
  const words = wordsOf(name)
  const matching = models.filter((model) => {
    const own = wordsOf(`${model.repo_id} ${model.label}`)
    return (
      words.length > 0 && words.every((word) => own.some((each) => each === word || (word.length >= PART_LENGTH && each.includes(word))))
    )
  })
  const narrow = matching.filter(({ repo_id }) => repo_id.toLowerCase().includes(name))
  return narrow.length > 0 ? narrow : matching
}

const nameIn = (text: string): string => text.trim().toLowerCase().slice(0, NAME_LIMIT)
const isNamed = (model: Named, name: string): boolean => [model.repo_id, shortId(model)].some((each) => each.toLowerCase() === name)
/** Id without the precision. */
const repositoryOf = ({ repo_id }: Named): string => repo_id.split(':')[0]!
/** Id without the owner of the repository. */
const shortId = ({ repo_id }: Named): string => repo_id.slice(repo_id.indexOf('/') + 1)
const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}.]+/u)
    .filter(Boolean)
const listOf = (models: readonly Named[]): string => models.map(shortId).join(', ')
