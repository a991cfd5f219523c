// The model that something needs and no machine has: structured, so that clients can offer its installation instead of a command.

/** Uses of a model, by the kind of work that it makes possible. */
export const NEED_KINDS = ['speech', 'cloning', 'description', 'recognition', 'dictation', 'speakers', 'background', 'translation'] as const
export type NeedKind = (typeof NEED_KINDS)[number]
export type NeededModel = { readonly repo_id: string; readonly label: string; readonly size_bytes: number }
/** `models`: one of them is enough; the first one is recommended. Empty if the catalogue has none. */
export type ModelNeed = { readonly for: NeedKind; readonly models: NeededModel[] }
