// The fields of a machine that is a pool, or whose approval was for other terms. Pure.
import { changesOf, type PoolTerms, termsDigest } from '#control-plane/workers/pool-terms.ts'
import type { Worker } from '#control-plane/workers/worker.store.ts'
import type { WorkerRecord } from './workers.schema.ts'

const termsView = ({ operator, places, readsInputs }: PoolTerms) => ({ operator, places: [...places], reads_inputs: readsInputs })

export function poolFieldsOf({ pool, lapsed }: Pick<Worker, 'pool' | 'lapsed'>): Pick<WorkerRecord, 'pool' | 'lapsed'> {
  return {
    pool: pool && {
      ...termsView(pool),
      name: pool.name,
      contact: pool.contact,
      keeps: pool.keeps,
      machines: pool.machines,
      newest_version: pool.newest,
      oldest_version: pool.oldest,
      older: pool.older,
      terms: termsDigest(pool),
    },
    lapsed: lapsed && { changed: changesOf(lapsed.terms, pool), was: lapsed.terms && termsView(lapsed.terms) },
  }
}
