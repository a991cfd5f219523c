// The digests of voices whose source states none, as they were downloaded first.
import { type Database, storageChecked } from '#control-plane/store/database.ts'

export type CommunityPins = ReturnType<typeof createCommunityPins>
export type CommunityPin = {
  readonly source: string
  readonly itemId: string
  readonly digest: string
  readonly url: string
  readonly at: number
}

export function createCommunityPins({ db }: { readonly db: Database }) {
  const find = db.prepare<[string, string], string>('select digest from community_pin where source = ? and item_id = ?').pluck()
  const add = db.prepare(`insert into community_pin (source, item_id, digest, url, pinned_at) values (@source, @itemId, @digest, @url, @at)
    on conflict do nothing`)
  return {
    /** Null for a voice that was not downloaded yet. */
    find: (source: string, itemId: string): string | null => find.get(source, itemId) ?? null,
    /** Keeps the first digest of a voice. Throws STORAGE_FULL. */
    add: (pin: CommunityPin): void => void storageChecked('The digest of the voice could not be stored', () => add.run(pin)),
  }
}
