// The names by which devices may call the shared port: those of this machine in the local network, and one that a tunnel adds.

export type SharedNames = ReturnType<typeof createSharedNames>

/** `hostname`: of this machine, with or without its domain. */
export function createSharedNames(hostname: string) {
  const [label = ''] = hostname.toLowerCase().split('.')
  const own = [hostname.toLowerCase(), label, `${label}.local`]
  let tunnel: string | null = null
  return {
    all: (): readonly string[] => (tunnel === null ? own : [...own, tunnel]),
    /** Null removes it. */
    setTunnel(name: string | null): void {
      tunnel = name === null ? null : name.toLowerCase()
    },
  }
}
