export type LanSharing = {
  readonly enabled: boolean
  readonly port: number | null
  readonly pinRequired: boolean
  /** The first port that is tried. */
  readonly firstPort: number
  /** IPv4 addresses of this machine that other devices may reach. */
  readonly addresses: readonly string[]
}
export type NetworkApi = {
  /** State for GET /system/info. */
  readonly sharing: () => LanSharing
}

declare module '#control-plane/kernel/define.ts' {
  interface AreaApis {
    readonly network: NetworkApi
  }
}
