import type { History } from './history.store.ts'

export type LibraryApi = { readonly history: Pick<History, 'add' | 'has'> }
