// Decides which addresses belong to the Internet, and which to networks around this machine. Pure.
import { BlockList, isIP } from 'node:net'

const NOT_PUBLIC_4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const
/** Inside of the public range: addresses that contain one of IPv4, and examples. */
const NOT_PUBLIC_6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const

/** Networks of homes and offices, and of private overlays. Loopback and link-local addresses are none: programs of this machine trust callers there. */
const LOCAL_4 = [
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const

const refused = new BlockList()
for (const [net, prefix] of NOT_PUBLIC_4) refused.addSubnet(net, prefix, 'ipv4')
for (const [net, prefix] of NOT_PUBLIC_6) refused.addSubnet(net, prefix, 'ipv6')
const global6 = new BlockList()
global6.addSubnet('2000::', 3, 'ipv6')
// Two lists, because a list of both families also matches addresses of IPv4 that are written as IPv6.
const [local4, local6] = [new BlockList(), new BlockList()]
for (const [net, prefix] of LOCAL_4) local4.addSubnet(net, prefix, 'ipv4')
local6.addSubnet('fc00::', 7, 'ipv6')

/** True if an address belongs to the Internet, and to no network of this machine. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !refused.check(address, 'ipv4')
  return family === 6 && global6.check(address, 'ipv6') && !refused.check(address, 'ipv6')
}

/** True if an address belongs to a private network around this machine. */
export function isLocalNetworkAddress(address: string): boolean {
  const family = isIP(address)
  return family === 4 ? local4.check(address, 'ipv4') : family === 6 && local6.check(address, 'ipv6')
}
