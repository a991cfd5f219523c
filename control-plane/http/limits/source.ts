// The sender behind an address, for limits that count each sender. Pure.
import { isIPv6 } from 'node:net'

/** IPv4: the address. IPv6: the first 64 bits, because the owner of one address has all of its /64 network. */
export function sourceOf(address: string): string {
  if (!isIPv6(address) || address.startsWith('::ffff:')) return address.replace(/^::ffff:/, '')
  const [head = '', tail] = address.split('%')[0]!.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail ? tail.split(':') : []
  const zeros = tail === undefined ? [] : Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0')
  return [...left, ...zeros, ...right].slice(0, 4).join(':')
}
