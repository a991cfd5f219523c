// The licence cards of models, whose licences differ from one to the next. A card is text of the model's publisher; a person sees it before the model is
// downloaded. It is read for display only: it has no digest.
import { z } from 'zod'
import { createFetch, type Fetch, HttpRefusal, readBody } from '#shared/download/fetch.ts'
import { commitUrl, fileUrl } from '#shared/download/hub.ts'
import { findModel } from '#shared/models/catalogue.ts'
import type { CatalogueModel } from '#shared/models/model.ts'
import type { DownloadSource } from '#shared/protocol/agent-control.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { cleanLines } from '#shared/protocol/fields/clean-text.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { CardReply } from '../models.schema.ts'

type Deps = {
  readonly models: readonly CatalogueModel[]
  readonly source: () => DownloadSource
  readonly clock: Clock
  readonly version: string
}
export type Cards = ReturnType<typeof createCards>

const STALL_MS = 15_000
const LIMIT_MS = 30_000
export const CARD_BYTES = 64 * 1024
const Commit = z.object({ sha: z.string().regex(/^[0-9a-f]{40}$/) })

export function createCards({ models, source, clock, version }: Deps) {
  /** Ids of the models whose card was sent to a client since the start. */
  const shown = new Set<string>()

  async function fetchCard({ sources, card }: CatalogueModel, signal: AbortSignal): Promise<string> {
    const { url, token, tokenUrl } = source()
    const base = new URL(url)
    const fetch = createFetch({ base: new URL(tokenUrl), token, clock, version, stallMs: STALL_MS })
    const { repo, revision } = sources[0]!
    const commit = revision ?? Commit.parse(JSON.parse(await textAt(fetch, commitUrl(base, repo, 'main'), signal))).sha
    return cleanLines(await textAt(fetch, fileUrl(base, repo, commit, card!), signal)).trim()
  }

  return {
    wasShown: (id: string): boolean => shown.has(id),
    /** The card of a model, of at most CARD_BYTES. Throws NOT_FOUND for one without a card, INPUT_FETCH_FAILED. */
    async reply(id: string, signal: AbortSignal): Promise<CardReply> {
      const model = findModel(models, id)
      if (!model) throw new Failure('NOT_FOUND', `There is no model ${id.slice(0, 100)}.`)
      if (model.card === null)
        throw new Failure('NOT_FOUND', `${model.id} has no licence card; its row in the list of models names the licence.`)
      const limit = new AbortController()
      const cancelLimit = clock.after(LIMIT_MS, () => limit.abort())
      try {
        const text = await fetchCard(model, AbortSignal.any([signal, limit.signal]))
        if (text === '') throw new Error('the card is empty')
        shown.add(model.id)
        return { repo_id: id, label: model.label, licence: model.licence, card: text }
      } catch (cause) {
        signal.throwIfAborted()
        const why =
          cause instanceof HttpRefusal
            ? `the server answered with status ${cause.status}`
            : limit.signal.aborted
              ? 'the server is too slow'
              : reasonOf(cause)
        const message = `The licence card of ${model.label} cannot be read (${why}), so it is not downloaded. Check the network connection, or the mirror in the settings.`
        throw new Failure('INPUT_FETCH_FAILED', message, { cause })
      } finally {
        cancelLimit()
      }
    },
  }
}

async function textAt(fetch: Fetch, url: URL, signal: AbortSignal): Promise<string> {
  const answer = await fetch(url, { signal })
  try {
    if (answer.status !== 200) throw new HttpRefusal(answer.status)
    return (await readBody(answer, CARD_BYTES)).toString('utf8')
  } finally {
    answer.body.destroy()
  }
}

const reasonOf = (cause: unknown): string =>
  cause instanceof Failure || cause instanceof z.ZodError || cause instanceof SyntaxError
    ? 'the server sent another answer'
    : cause instanceof Error
      ? cause.message.slice(0, 200)
      : 'unknown'
