// The accounts by which people sign in without a key: whose one is, and which is bound by its first sign-in.
import type { Audit } from '#control-plane/audit/audit.ts'
import { currentClient, type PersonSender } from '#control-plane/clients/client.ts'
import type { GroupCommit } from '#control-plane/store/group-commit.ts'
import type { PersonRow } from '#control-plane/store/rows.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { type LiveKeys, signInsOf } from './live-keys.ts'
import type { PeopleStore } from './people.store.ts'
import { foldedEmail, hasAccount, isBoundTo, type ProviderAccount } from './person.rules.ts'

type Deps = {
  readonly store: PeopleStore
  readonly live: LiveKeys
  readonly audit: Pick<Audit, 'record'>
  readonly commits: Pick<GroupCommit, 'settled'>
}
/** `other`: another account of that e-mail address signs in as the person already. */
export type SignInRefusal = 'unknown' | 'other'

export function createIdentities({ store, live, audit, commits }: Deps) {
  const living = (): PersonRow[] => [...store.all()].filter(({ ended_at }) => ended_at === null)

  /** Throws CONFLICT for an identity that another person has. */
  function requireOwn(row: PersonRow): void {
    const { id, sign_in_email: email, sign_in_issuer: issuer, sign_in_subject: subject } = row
    const isSame = (other: PersonRow) =>
      (email !== null && other.sign_in_email === email) || (issuer !== null && subject !== null && hasAccount(other, { issuer, subject }))
    const other = living().find((one) => one.id !== id && isSame(one))
    if (other)
      throw new Failure('CONFLICT', `${other.name} signs in with that already. Change that person first, or use another e-mail address.`)
  }

  return {
    requireOwn,
    /**
     * The sender that an account signs in as. `email`: an address of the account that its provider has verified; null without one. The first
     * account with the address of a person is bound to that person, and no other one of the provider signs in with it afterwards. Throws
     * STORAGE_FULL.
     */
    async signIn(account: ProviderAccount, email: string | null): Promise<PersonSender | SignInRefusal> {
      const known = living().find((row) => hasAccount(row, account))
      if (known) return live.withoutKey(known.id)
      const folded = email === null ? null : foldedEmail(email)
      const found = folded === null ? undefined : living().find((row) => row.sign_in_email === folded)
      if (!found) return 'unknown'
      if (isBoundTo(found, account.issuer)) return 'other'
      store.put({ ...found, sign_in_issuer: account.issuer, sign_in_subject: account.subject })
      // A change of the person before the row is durable ends this sender.
      const sender = live.withoutKey(found.id)
      audit.record('identity-bind', found.id, { by: currentClient().id, name: found.name, ...account })
      await commits.settled()
      return sender
    },
    end(): void {
      for (const { id } of store.all()) live.end(signInsOf(id))
    },
  }
}

/** The identity of a person, for the log of decisions. */
export const identityIn = ({ sign_in_email: email, sign_in_issuer: issuer, sign_in_subject: subject }: PersonRow) =>
  email === null && subject === null ? {} : { email, issuer, subject }
