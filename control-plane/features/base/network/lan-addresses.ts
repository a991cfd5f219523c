// The addresses of this machine in its networks.
import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os'

type Interfaces = Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>>
/** Names of interfaces that lead to containers and virtual machines of this machine only. */
const VIRTUAL = /^(?:docker|br-|veth|virbr|vmnet|vboxnet|cni|flannel|lxc)/

/** IPv4 only, as the shared port; those of virtual interfaces last. */
export function lanAddresses(interfaces: Interfaces = networkInterfaces()): string[] {
  const found = Object.entries(interfaces).flatMap(([name, list = []]) =>
    list.flatMap(({ family, internal, address }) => (family === 'IPv4' && !internal ? [{ name, address }] : [])),
  )
  const isVirtual = ({ name }: { name: string }) => (VIRTUAL.test(name) ? 1 : 0)
  return [...new Set(found.sort((a, b) => isVirtual(a) - isVirtual(b)).map(({ address }) => address))]
}
