// One instance of a WebAssembly library for a thread.

/** The instance, loaded at the first call, and again after one that failed or after `drop`. */
export type Shared<T> = (() => Promise<T>) & { readonly drop: () => void }

export function createShared<T>(load: () => Promise<T>): Shared<T> {
  let loading: Promise<T> | null = null
  const drop = () => {
    loading = null
  }
  const get = () => {
    loading ??= load().catch((error: unknown) => {
      drop()
      throw error
    })
    return loading
  }
  return Object.assign(get, { drop })
}
