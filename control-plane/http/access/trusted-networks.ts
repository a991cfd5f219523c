// The networks whose addresses may use the studio without a credential.
import { BlockList, isIPv4 } from 'node:net'

/** True if an address belongs to one of the networks, which are written as `192.168.1.0/24`. IPv4 addresses in IPv6 notation count as IPv4. */
export function createTrustedNetworks(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', prefix = ''] = network.split('/')
    list.addSubnet(address, Number(prefix), isIPv4(address) ? 'ipv4' : 'ipv6')
  }
  return (address) => {
    const [plain = ''] = address.split('%') // link-local addresses name their interface
    return plain !== '' && list.check(plain, isIPv4(plain) ? 'ipv4' : 'ipv6')
  }
}
