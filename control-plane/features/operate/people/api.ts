// The interface of people for other areas.
export type PeopleApi = {
  /** The provider of identities for the sign-in page, and the address at which a sign-in with it starts; null without one. */
  readonly signInOffer: () => { readonly name: string; readonly address: string } | null
}
